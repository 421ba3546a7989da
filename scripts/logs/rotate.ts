import { renameSync, statSync } from 'node:fs';

const largest = 10 * 1024 * 1024;

/** Renames a log of more than 10 MB to `FILE.1`, replacing an older one. Only for files that no process writes. */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largest) renameSync(file, `${file}.1`);
}
