import { createReadStream, statSync } from 'node:fs';
import { basename } from 'node:path';
import { UploadFailure } from './failure.js';

/** The file as it was when the upload began. Each attempt sends exactly this. */
export interface SourceFile {
  path: string;
  name: string;
  bytes: number;
  modifiedMs: number;
  /** The file that the user has named; another one than `path` if it was converted. Results are saved next to it. */
  original: string;
}

/**
 * Reads the size and time of the file.
 * @throws UploadFailure if it does not exist or is not a file
 */
export function findFile(path: string): SourceFile {
  const found = explained(path, () => statSync(path));
  if (!found.isFile()) throw new UploadFailure(`${path} is not a file.`);
  return { path, name: basename(path), bytes: found.size, modifiedMs: found.mtimeMs, original: path };
}

/**
 * Yields the bytes of the file in pieces.
 * @throws UploadFailure if it cannot be read or has changed
 */
export async function* readFile(file: SourceFile): AsyncGenerator<Buffer> {
  expectSame(file);
  if (file.bytes === 0) return;
  let read = 0;
  try {
    const stream = createReadStream(file.path, { end: file.bytes - 1, highWaterMark: 256 * 1024 });
    for await (const piece of stream as AsyncIterable<Buffer>) {
      read += piece.length;
      yield piece;
    }
  } catch (error) {
    throw unreadable(file.path, error);
  }
  if (read !== file.bytes) throw changed(file);
  expectSame(file);
}

function expectSame(file: SourceFile): void {
  const now = findFile(file.path);
  if (now.bytes !== file.bytes || now.modifiedMs !== file.modifiedMs) throw changed(file);
}

function changed({ path }: SourceFile): UploadFailure {
  return new UploadFailure(`${path} was changed while it was being sent: nothing was uploaded.`);
}

function explained<Result>(path: string, look: () => Result): Result {
  try {
    return look();
  } catch (error) {
    throw unreadable(path, error);
  }
}

const reasons: Record<string, string> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'a part of its path is not a folder',
  EACCES: 'no permission',
  EPERM: 'no permission',
};

function unreadable(path: string, error: unknown): UploadFailure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UploadFailure(`${path} cannot be read: ${reasons[code] ?? message}.`);
}
