import {
  appendFileSync,
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  truncateSync,
} from 'node:fs';
import { join } from 'node:path';

const MULTI = Buffer.from('*1\r\n$5\r\nMULTI\r\n');
const EXEC = Buffer.from('*1\r\n$4\r\nEXEC\r\n');

/** Far more than a transaction of Muster has: most of it is a batch of events, of half a MiB. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Removes a transaction without its EXEC from the end of the append-only file of a Redis that is not running. A crash can leave one.
 *
 * Redis would not execute it, but (7.0, and Valkey before the change 4342) removes only its last command if that is incomplete. The MULTI
 * that stays swallows later writes: the next start can lose them, or execute half of the transaction.
 *
 * `redis-check-aof --fix` would remove the same, but reads all files, and if one is damaged in the middle, it also removes everything after
 * that. Redis then does not start instead.
 *
 * @param home the folder of Redis, with the folder of its append-only files
 * @param logFile says what was removed
 */
export function dropTornTransaction(home: string, logFile: string): void {
  const file = lastFile(join(home, 'appendonlydir'));
  if (file === undefined) return;
  const { size, end } = endOf(file);
  const start = end.lastIndexOf(MULTI);
  if (start < 0 || end.lastIndexOf(EXEC) > start || !isTransaction(end.subarray(start))) return;
  const torn = end.length - start;
  truncateSync(file, size - torn);
  appendFileSync(
    logFile,
    `Muster removed ${torn} bytes at the end of ${file}: a transaction that was not written completely.\n`,
  );
}

/** Returns the file that Redis appends to, or undefined if it has none. */
function lastFile(folder: string): string | undefined {
  try {
    const lines = readFileSync(join(folder, 'appendonly.aof.manifest'), 'utf8').split('\n');
    const [, name] =
      /^file (\S+) .*type i/.exec(lines.findLast((line) => line.includes('type i')) ?? '') ?? [];
    return name && join(folder, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Returns the size of a file, and its last bytes. */
function endOf(file: string): { size: number; end: Buffer } {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const end = Buffer.alloc(Math.min(size, MOST_BYTES));
    readSync(descriptor, end, 0, end.length, size - end.length);
    return { size, end };
  } finally {
    closeSync(descriptor);
  }
}

/** Returns whether bytes are whole commands, except for the last one: the text of MULTI could also be part of a value. */
function isTransaction(bytes: Buffer): boolean {
  let at = 0;
  /** Reads `*COUNT` or `$LENGTH`. Returns null at the end of the bytes, and undefined if they are something else. */
  const number = (mark: string): number | null | undefined => {
    const lineEnd = bytes.indexOf('\r\n', at);
    const line = bytes.toString('latin1', at, lineEnd < 0 ? bytes.length : lineEnd);
    if (lineEnd < 0) return line === '' || line.startsWith(mark) ? null : undefined;
    at = lineEnd + 2;
    return line.startsWith(mark) && /^\d+$/.test(line.slice(1)) ? Number(line.slice(1)) : undefined;
  };
  while (at < bytes.length) {
    const count = number('*');
    if (count === null) return true;
    if (count === undefined) return false;
    for (let argument = 0; argument < count; argument++) {
      const length = number('$');
      if (length === null) return true;
      if (length === undefined) return false;
      at += length + 2;
    }
  }
  return true;
}
