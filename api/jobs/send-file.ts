import { basename } from 'node:path';
import type Koa from 'koa';
import type { ByteRange, FileStore, StoredFile } from '../../db/files/index.js';
import { isUnchanged } from '../http/entity-tag.js';
import { gone, rangeNotSatisfiable } from '../http/errors.js';

/** Thousands of slow downloads may run at the same time. With 256 KiB, each took 540 KB of memory and was not faster. */
const CHUNK_BYTES = 16 * 1024;

export interface FileToSend {
  key: string;
  /** The file name that the client saves it under. */
  name: string;
  /** Media type. */
  type: string;
}

/** Where a file is read from. A stored file never changes under its key. */
export type FileSource = Pick<FileStore, 'stat' | 'read'>;

/**
 * Sends a stored file, or the requested part of it: Range, If-Range, If-None-Match and HEAD (RFC 9110). A file never
 * changes under its key, so the key is a strong ETag. Never compressed: a resumed download must continue the same bytes.
 * @throws RequestError 410 if the file has expired, 416 if the range is outside the file
 */
export async function sendFile(ctx: Koa.Context, files: FileSource, file: FileToSend): Promise<void> {
  const stored = await describeFile(ctx, files, file);
  ctx.set('Accept-Ranges', 'bytes');
  ctx.status = 200;
  if (isUnchanged(ctx)) ctx.status = 304;
  else if (ctx.method === 'HEAD') ctx.length = stored.bytes;
  else sendPart(ctx, files, file.key, stored);
}

/** Sends a complete stored file and ignores `Range`, for a route that creates a new file at each request. */
export async function sendWholeFile(ctx: Koa.Context, files: FileSource, file: FileToSend): Promise<void> {
  const { bytes } = await describeFile(ctx, files, file);
  ctx.body = files.read(file.key, undefined, CHUNK_BYTES);
  ctx.length = bytes;
}

async function describeFile(
  ctx: Koa.Context,
  files: FileSource,
  { key, name, type }: FileToSend,
): Promise<StoredFile> {
  const stored = await files.stat(key);
  if (!stored) throw gone('result_expired', 'The file has expired.');
  ctx.attachment(name);
  ctx.type = type;
  ctx.set({ ETag: `"${basename(key)}"`, 'Cache-Control': 'no-store, no-transform' });
  return stored;
}

function sendPart(ctx: Koa.Context, files: FileSource, key: string, { bytes }: StoredFile): void {
  const range = allowsPart(ctx) ? requestedRange(ctx.get('range'), bytes) : 'whole';
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(bytes);
  ctx.body = files.read(key, range === 'whole' ? undefined : range, CHUNK_BYTES);
  if (range === 'whole') ctx.length = bytes;
  else {
    ctx.status = 206;
    ctx.set('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
    ctx.length = range.end - range.start + 1;
  }
}

/** Returns whether `If-Range` allows a part: it contains the ETag of this file. A date never does, as files have no dates. */
function allowsPart(ctx: Koa.Context): boolean {
  const wanted = ctx.get('if-range');
  return wanted === '' || wanted === ctx.response.get('etag');
}

/**
 * Returns the part of a file that a `Range` header requests (RFC 9110 §14.2). Returns `whole` for headers that may be
 * ignored: none, another unit, several ranges, or a malformed one.
 */
export function requestedRange(header: string, bytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header) ?? [];
  if (first === '' && last === '') return 'whole';
  if (first === '') return lastBytes(Number(last), bytes);
  const start = Number(first);
  const end = last === '' ? bytes - 1 : Number(last);
  if (last !== '' && end < start) return 'whole';
  return start < bytes ? { start, end: Math.min(end, bytes - 1) } : 'unsatisfiable';
}

const lastBytes = (count: number, bytes: number): ByteRange | 'unsatisfiable' =>
  count === 0 || bytes === 0 ? 'unsatisfiable' : { start: Math.max(0, bytes - count), end: bytes - 1 };
