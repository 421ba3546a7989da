import { renameSync, statSync } from 'node:fs';

const largest = 10 * 1024 * 1024;

/** Puts a log of more than 10 MB aside as `FILE.1`, in place of the one that is there. For files that nobody writes to. */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largest) renameSync(file, `${file}.1`);
}
