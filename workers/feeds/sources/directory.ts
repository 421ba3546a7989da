import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { withDeadline } from '../../outbound/deadline.js';
import { deadlinesOf, type FetchContext, type FetchedFile } from './fetched-file.js';
import { checkSize, endedEarly, guarded } from './guarded.js';
import { matcherOf, newest } from './newest.js';
import type { SourceOf } from './settings.js';
import { SourceError, toSourceError } from './source-error.js';

/** A worker reads one file at a time, and each chunk costs it a wait. */
const CHUNK_BYTES = 256 * 1024;

/**
 * Opens a file below the operator's folder. What counts is where the opened file really is: a symbolic link may lead to another file below the folder, and not
 * out of it.
 * @throws SourceError
 */
export async function fetchFromDirectory(
  { path }: SourceOf<'directory'>,
  context: FetchContext,
): Promise<FetchedFile | 'unchanged'> {
  const { directory, known, stopped } = context;
  if (directory === null)
    throw new SourceError(
      'not_allowed',
      'Feeds may not read files of the workers: the operator must set FEED_DIRECTORY to the directory they may read.',
    );
  try {
    // A network disk may hang.
    const { handle, stats, name } = await withDeadline(
      deadlinesOf(context).responseMs,
      'The disk of FEED_DIRECTORY',
      (signal) => openBelow(directory, path, signal),
      stopped,
    );
    try {
      const version = versionOf(name, stats);
      if (version !== known) {
        checkSize(path, stats.size, context.maxBytes);
        const content = contentOf(handle, stats, path, context);
        return { name, version, modifiedAt: stats.mtime, contentType: null, content };
      }
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    return 'unchanged';
  } catch (error) {
    throw toSourceError(error);
  }
}

interface OpenedFile {
  handle: FileHandle;
  stats: Stats;
  name: string;
}

/** Opens a regular file. @throws SourceError */
async function openBelow(directory: string, path: string, signal: AbortSignal): Promise<OpenedFile> {
  const root = await realpath(directory).catch(() => {
    throw new SourceError(
      'not_allowed',
      'The directory FEED_DIRECTORY does not exist on this worker, or it may not read it.',
    );
  });
  let handle: FileHandle | null = null;
  try {
    const file = await fileAt(root, path);
    const whole = join(root, file);
    // Opening anything else could hang, or do something.
    if (!(await stat(whole)).isFile()) throw notRegular(file);
    handle = await open(whole, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile()) throw notRegular(file);
    const real = await realpath(whole);
    const { dev, ino } = await stat(real);
    if (!isBelow(root, real) || dev !== stats.dev || ino !== stats.ino) throw leadsOut(file);
    signal.throwIfAborted();
    return { handle, stats, name: basename(file) };
  } catch (error) {
    await handle?.close();
    throw toFileError(path, error);
  }
}

/** Returns the path that a pattern stands for now. */
async function fileAt(root: string, path: string): Promise<string> {
  if (!path.includes('*')) return path;
  const folder = dirname(path);
  const real = await realpath(join(root, folder));
  if (real !== root && !isBelow(root, real)) throw leadsOut(folder);
  const matches = matcherOf(basename(path));
  const files = [];
  for (const name of (await readdir(real)).filter(matches)) {
    // It may have been removed, or lead nowhere.
    const stats = await stat(join(real, name)).catch(() => null);
    if (stats?.isFile()) files.push({ name, modifiedAt: stats.mtime });
  }
  const found = newest(files);
  if (!found) throw new SourceError('not_found', `No file below FEED_DIRECTORY matches ${path}.`);
  return join(folder, found.name);
}

const isBelow = (root: string, path: string): boolean =>
  path.startsWith(root.endsWith(sep) ? root : root + sep);

function contentOf(handle: FileHandle, opened: Stats, path: string, context: FetchContext) {
  const source = handle.createReadStream({ highWaterMark: CHUNK_BYTES, autoClose: false });
  const checkEnd = async (bytes: number) => {
    const { size, mtimeMs } = await handle.stat();
    if (size !== opened.size || mtimeMs !== opened.mtimeMs) throw changed(path);
    if (bytes !== size) throw endedEarly(path, bytes, size);
  };
  const toError = (error: Error) => toFileError(path, error);
  const content = guarded(
    source,
    { name: path, bytes: null, maxBytes: context.maxBytes, toError, checkEnd },
    context,
  );
  content.once('close', () => void handle.close().catch(() => {}));
  return content;
}

const versionOf = (name: string, { size, mtimeMs }: Stats): string => `${name} ${size} ${mtimeMs}`;

const changed = (path: string): SourceError =>
  new SourceError(
    'changed',
    `${path} changed while it was read. Let its writer use another name, and rename the file when it is complete.`,
  );
const notRegular = (path: string): SourceError =>
  new SourceError('not_allowed', `${path} is not a regular file.`);
const leadsOut = (path: string): SourceError =>
  new SourceError('not_allowed', `${path} leads out of FEED_DIRECTORY by a symbolic link.`);

function toFileError(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || error instanceof SourceError) return error;
  switch (error.code) {
    case 'ENOENT':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'ENAMETOOLONG':
      return new SourceError('not_found', `There is no file ${path} below FEED_DIRECTORY.`);
    case 'EACCES':
    case 'EPERM':
      return new SourceError('auth', `The worker's user may not read ${path} below FEED_DIRECTORY.`);
    default:
      return new SourceError('reset', `Reading ${path} below FEED_DIRECTORY failed (${error.code}).`);
  }
}
