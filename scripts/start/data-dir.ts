import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Release, takeLock } from '../processes/lock.js';
import { freeMb } from './disk-space.js';

/** Checked first, because the database allocates its log when it is created and would fail halfway on a disk that is too small. */
const firstStartMb = 1_000;
const laterStartMb = 50;

/**
 * Creates the data directory if it is missing, and locks it for this process.
 * @param needsDatabase whether it will hold a private database
 * @returns a function that releases the lock
 * @throws Error in one line if it is in use, cannot be written or has too little space
 */
export function takeDataDir(dir: string, needsDatabase: boolean): Release {
  const release = explained(dir, () => {
    for (const path of ['', 'logs', 'run', 'files']) makeFolder(join(dir, path));
    return takeLock(join(dir, 'lock'));
  });
  if (typeof release === 'number') {
    throw new Error(
      `Muster is already running on ${dir} as process ${release}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  checkRoom(dir, needsDatabase);
  return release;
}

/** Creates folders one at a time, because on a read-only disk a recursive mkdir reports that something was not found. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function explained<Result>(dir: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(
      `DATA_DIR ${dir} cannot be written (${reasons[code ?? ''] ?? message}). Fix that, or set DATA_DIR to another folder.`,
    );
  }
}

const reasons: Record<string, string> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
};

function checkRoom(dir: string, needsDatabase: boolean): void {
  const isFirst = needsDatabase && !existsSync(join(dir, 'mariadb', 'data'));
  const neededMb = isFirst ? firstStartMb : laterStartMb;
  const free = freeMb(dir);
  if (free >= neededMb) return;
  throw new Error(
    `The disk of DATA_DIR ${dir} has ${free} MB free; ${neededMb} MB are needed. Free some space, or set DATA_DIR to another disk.`,
  );
}
