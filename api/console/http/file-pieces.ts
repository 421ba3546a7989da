import { request } from './request.ts';

const LINE_FEED = 10;

/** The file has other content than before: its job has run again. Places in the earlier file mean nothing. */
export class FileChanged extends Error {
  override name = 'FileChanged';
}

interface Piece {
  /** The complete lines, and their size in bytes. */
  lines: string[];
  bytes: number;
  /** The size of the file. */
  total: number;
  version: string | null;
}

interface PieceRequest {
  start: number;
  /** In bytes. */
  size: number;
  /** The ETag of the file; null before any of it is read. */
  version: string | null;
}

/**
 * Reads the lines of a piece of a file that the API has at this path. A line that the piece does not end is left to the next one.
 * @throws {FileChanged} if the file is not the one of the version
 */
export async function readPiece(
  path: string,
  { start, size, version }: PieceRequest,
  signal: AbortSignal,
): Promise<Piece> {
  const range = `bytes=${start}-${start + size - 1}`;
  const headers = { range, ...(version === null ? {} : { 'if-range': version }) };
  const response = await request(path, { headers, signal });
  const found = response.headers.get('etag');
  // Without a part, the response is the complete file from its first byte.
  const isOther = version === null ? start > 0 && response.status !== 206 : found !== version;
  if (isOther) {
    await response.body?.cancel();
    throw new FileChanged();
  }
  const whole = new Uint8Array(await response.arrayBuffer());
  const content = response.status === 206 ? whole : whole.subarray(start);
  const bytes = content.lastIndexOf(LINE_FEED) + 1;
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(content.subarray(0, bytes));
  const lines = text.split('\n');
  lines.pop();
  const total = Number(/\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1] ?? whole.length);
  return { lines, bytes, total, version: found };
}
