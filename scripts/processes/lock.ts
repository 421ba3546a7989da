import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { identify, livingPidIn } from './identity.js';

/** Gives the lock back. */
export type Release = () => void;

/**
 * Takes a lock that a killed process cannot leave behind: it counts only while the process that it names runs.
 * @returns the release, or the id of the process that holds it
 */
export function takeLock(file: string): Release | number {
  for (;;) {
    if (make(file)) return () => rmSync(file, { force: true });
    const holder = livingPidIn(file);
    if (holder !== undefined) return holder;
    removeStale(file);
  }
}

function make(file: string): boolean {
  try {
    writeFileSync(file, identify(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Under a short lock of its own: of two that find the same stale lock, one must not remove the other's new one. */
function removeStale(file: string): void {
  const removing = `${file}.removing`;
  if (!makeFolder(removing)) return;
  try {
    if (livingPidIn(file) === undefined && !isBeingWritten(file)) rmSync(file, { force: true });
  } finally {
    rmdirSync(removing);
  }
}

function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    if (ageOf(folder) > 10_000) rmdirSync(folder);
    return false;
  }
}

/** Between the making of the file and the writing of its text there is a moment. */
function isBeingWritten(file: string): boolean {
  return ageOf(file) < 1_000 && readFileSync(file, 'utf8') === '';
}

function ageOf(path: string): number {
  try {
    return Date.now() - statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
