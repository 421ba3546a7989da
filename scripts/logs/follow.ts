import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';

const everyMs = 200;
/** If more arrives at once, only the end is read: nobody reads such a flood, and the file contains the rest. */
const mostBytes = 65_536;

/**
 * Calls `onLine` for each complete line that is appended to a file from now on, within 0.2 s.
 * @param file created if missing
 * @returns a function that stops following, after the lines that are already there
 */
export function followLog(file: string, onLine: (line: string) => void): () => void {
  const log = openSync(file, 'a+', 0o600);
  let position = fstatSync(log).size;
  let begun = '';
  const read = () => {
    const { size } = fstatSync(log);
    const buffer = Buffer.alloc(Math.min(size - position, mostBytes));
    readSync(log, buffer, 0, buffer.length, size - buffer.length);
    position = size;
    const lines = (begun + buffer.toString('utf8')).split('\n');
    begun = lines.pop() ?? '';
    lines.forEach(onLine);
  };
  const timer = setInterval(read, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    read();
    closeSync(log);
  };
}

const largest = 10 * 1024 * 1024;

/** Renames a log of more than 10 MB to `FILE.1`, replacing an older one. Only for files that no process writes. */
export function rotateLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > largest) renameSync(file, `${file}.1`);
}
