import { Transform } from 'node:stream';
import type { ByteRange, FileStore } from '../../../db/files/index.js';

/** A file store that records which parts of uploads are read. */
export interface WatchedStore {
  files: FileStore;
  /** One for each time that an upload was opened. */
  readings: Reading[];
}

/** From which byte of an upload, and up to which one, the last not included. */
export interface Reading {
  from: number;
  to: number;
}

/** @param at called with each offset of an upload that is reached; when it throws, reading fails */
export function watchUploads(files: FileStore, at: (offset: number) => void = () => {}): WatchedStore {
  const readings: Reading[] = [];
  const read = (key: string, range?: ByteRange) => {
    const source = files.read(key, range);
    if (!key.startsWith('uploads/')) return source;
    const reading = { from: range?.start ?? 0, to: range?.start ?? 0 };
    readings.push(reading);
    const passing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        reading.to += chunk.length;
        try {
          at(reading.to);
          done(null, chunk);
        } catch (error) {
          done(error as Error);
        }
      },
    });
    source.on('error', (error) => passing.destroy(error));
    passing.on('close', () => source.destroy());
    return source.pipe(passing);
  };
  const watched = new Proxy(files, {
    get: (target, name) => {
      if (name === 'read') return read;
      const found = Reflect.get(target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
  return { files: watched, readings };
}
