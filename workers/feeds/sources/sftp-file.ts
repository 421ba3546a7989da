import { posix } from 'node:path';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import { matcherOf, newest } from './newest.js';
import { SourceError } from './source-error.js';

/** An open file of a server. */
export interface RemoteFile {
  path: string;
  handle: Buffer;
  stats: Stats;
}

/** Listing more would take the memory of the worker. */
const MAX_LISTED = 100_000;
/** What servers send at most of a file at a time. */
const CHUNK_BYTES = 255 * 1024;

type Done<Result> = (error: Error | null | undefined, result: Result) => void;

/** Calls a function of the library as one that returns a promise. */
const asked = <Result>(ask: (done: Done<Result>) => void): Promise<Result> =>
  new Promise((resolve, reject) => ask((error, result) => (error ? reject(error) : resolve(result))));

/**
 * Opens a regular file, or the newest one that a pattern matches.
 * @throws SourceError, or an error of the library
 */
export async function openRemote(sftp: SFTPWrapper, path: string): Promise<RemoteFile> {
  const file = path.includes('*') ? await newestOf(sftp, path) : path;
  // Opening anything else may hang on the server.
  checkRegular(file, await asked<Stats>((done) => sftp.stat(file, done)));
  const handle = await asked<Buffer>((done) => sftp.open(file, 'r', done));
  const stats = await statsOf(sftp, handle);
  checkRegular(file, stats);
  return { path: file, handle, stats };
}

export const statsOf = (sftp: SFTPWrapper, handle: Buffer): Promise<Stats> =>
  asked((done) => sftp.fstat(handle, done));

/** Yields the bytes of a file to its end. */
export async function* bytesOf(sftp: SFTPWrapper, handle: Buffer): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const bytes = await asked<number>((done) =>
      sftp.read(handle, chunk, 0, CHUNK_BYTES, position, done),
    ).catch(atEnd(0));
    if (bytes === 0) return;
    position += bytes;
    yield chunk.subarray(0, bytes);
  }
}

async function newestOf(sftp: SFTPWrapper, pattern: string): Promise<string> {
  const folder = posix.dirname(pattern);
  const matches = matcherOf(posix.basename(pattern));
  const files = [];
  for await (const { filename, attrs } of entriesOf(sftp, folder))
    if (matches(filename) && !filename.includes('/') && isRegular(attrs))
      files.push({ name: filename, modifiedAt: new Date(attrs.mtime * 1_000) });
  const found = newest(files);
  if (!found) throw new SourceError('not_found', `No file on the server matches ${pattern}.`);
  return posix.join(folder, found.name);
}

async function* entriesOf(sftp: SFTPWrapper, folder: string): AsyncGenerator<FileEntryWithStats> {
  const handle = await asked<Buffer>((done) => sftp.opendir(folder, done));
  for (let listed = 0; ; ) {
    const entries = await asked<FileEntryWithStats[]>((done) => sftp.readdir(handle, done)).catch(atEnd([]));
    if (entries.length === 0) return;
    listed += entries.length;
    if (listed > MAX_LISTED)
      throw new SourceError(
        'rejected',
        `${folder} on the server has more than ${MAX_LISTED} files. Use a directory with fewer.`,
      );
    yield* entries;
  }
}

/** Some servers do not say what a file is. */
const isRegular = (stats: Stats): boolean => stats.mode === undefined || stats.isFile();

function checkRegular(path: string, stats: Stats): void {
  if (!isRegular(stats)) throw new SourceError('not_allowed', `${path} on the server is not a regular file.`);
}

/** SSH_FX_EOF of the protocol. */
const END = 1;

const atEnd =
  <Result>(result: Result) =>
  (error: unknown): Result => {
    if (sftpCodeOf(error) === END) return result;
    throw error;
  };

/** Returns the status code of the protocol; null: it is another error. */
export const sftpCodeOf = (error: unknown): number | null =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : null;
