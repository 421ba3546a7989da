import { readPiece } from '../../http/file-pieces.ts';
import { type Change, type FoundChange, findChanges } from './parse-changes.ts';

export const PAGE_ROWS = 20;

/** The first piece has the rows of a page. A search continues with larger ones, which need fewer requests. */
const FIRST_BYTES = 64 * 1024;
const LARGEST_BYTES = 1024 * 1024;

/** Where a page starts in a changes file. */
export interface PagePlace {
  /** A byte at which a line starts. */
  offset: number;
  /** How many lines after the offset. */
  skip: number;
  /** Whether the file numbers the records of a JSON upload, counted from 0, instead of the lines of a file. */
  isIndexed: boolean;
  /** The ETag of the file in which the page starts here; null before the file is read. */
  version: string | null;
}

export interface ChangesPage {
  changes: Change[];
  isIndexed: boolean;
  /** Null on the last page. */
  next: PagePlace | null;
}

/** Skips the header. */
export const FIRST_PAGE: PagePlace = { offset: 0, skip: 1, isIndexed: false, version: null };

export interface PageRequest {
  path: string;
  from: PagePlace;
  /** Null for all outcomes. */
  outcome: string | null;
  /** How many changes the file has at most from this place on. Once they are found, the rest of the file is not read. */
  most: number;
  signal: AbortSignal;
  /** Called after each piece without enough changes, with the share of the file that has been read, from 0 to 1. */
  onProgress: (share: number) => void;
}

/**
 * Reads a page of a changes file. It reads the file piece by piece and keeps one of them, so the size of the file does not matter.
 * @throws {FileChanged} if the file is not the one that the place belongs to
 */
export async function readPage({
  path,
  from,
  outcome,
  most,
  signal,
  onProgress,
}: PageRequest): Promise<ChangesPage> {
  const { parse } = await import('csv-parse/browser/esm/sync');
  const changes: Change[] = [];
  let { offset, skip, isIndexed, version } = from;
  for (let size = FIRST_BYTES; ; size = Math.min(2 * size, LARGEST_BYTES)) {
    const piece = await readPiece(path, { start: offset, size, version }, signal);
    const { lines, bytes, total } = piece;
    version = piece.version;
    if (offset === 0) isIndexed = lines[0]?.endsWith(',index') ?? false;
    // One more than the page has, to know where the next page starts.
    const count = PAGE_ROWS + 1 - changes.length;
    const found = findChanges(lines, { skip, outcome, count }, parse);
    const beyond: FoundChange | undefined = found[count - 1];
    changes.push(...found.slice(0, count - (beyond ? 1 : 0)).map(({ change }) => change));
    if (beyond) return { changes, isIndexed, next: { offset, skip: beyond.line, isIndexed, version } };
    offset += bytes;
    skip = 0;
    if (offset >= total || bytes === 0 || changes.length >= most) return { changes, isIndexed, next: null };
    onProgress(offset / total);
  }
}
