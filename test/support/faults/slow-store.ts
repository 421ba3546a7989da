import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileStore } from '../../../db/files/index.js';

/** Returns a store that takes 150 ms for each chunk it writes. */
export const slowStore = (files: FileStore): FileStore =>
  storeThat(files, async function* (source) {
    for await (const chunk of source) {
      await sleep(150);
      yield chunk;
    }
  });

/** Returns a store that passes what it writes through `pass`. */
export function storeThat(
  files: FileStore,
  pass: (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
): FileStore {
  return {
    write: (key, source) => files.write(key, Readable.from(pass(source), { objectMode: false })),
    stat: (key) => files.stat(key),
    remove: (key) => files.remove(key),
    list: () => files.list(),
    check: () => files.check(),
    read: (...what) => files.read(...what),
  };
}
