import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { identify, livingPidIn } from './identity.js';

/** Releases the lock. */
export type Release = () => void;

/**
 * Takes a lock that a killed process cannot leave behind: it is valid only while the process that it names is running.
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

/** Removes a stale lock under a separate short lock: a process must not remove the new lock of another that found the same stale one. */
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

/** Returns whether the file was just created and its text is not written yet. */
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
