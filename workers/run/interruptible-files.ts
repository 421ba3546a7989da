import { Readable } from 'node:stream';
import type { FileStore } from '../../db/files/index.js';

/**
 * Returns a store whose calls fail as soon as `stop` fires, with the signal's reason. Without it, a job that waits for a
 * stalled store would notice a cancellation or a shutdown only at the store's deadline.
 */
export function interruptible(files: FileStore, stop: AbortSignal): FileStore {
  return {
    write: async (key, source) => {
      // The store adds its listener later. An `error` event without a listener ends the process.
      source.on('error', () => {});
      if (stop.aborted) source.destroy();
      stop.throwIfAborted();
      return unlessStopped(stop, files.write(key, source), () => void source.destroy(stop.reason));
    },
    read: (key, range) => Readable.from(chunks(files.read(key, range), stop), { objectMode: false }),
    stat: (key) => unlessStopped(stop, files.stat(key)),
    remove: (key) => unlessStopped(stop, files.remove(key)),
    list: () => files.list(),
    check: () => unlessStopped(stop, files.check()),
  };
}

async function* chunks(source: Readable, stop: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await unlessStopped(stop, iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    // The caller already has the signal's reason.
    source.on('error', () => {}).destroy();
  }
}

async function unlessStopped<T>(stop: AbortSignal, work: Promise<T>, onStop = (): void => {}): Promise<T> {
  let end = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    const interrupt = (): void => {
      onStop();
      reject(stop.reason);
    };
    if (stop.aborted) return interrupt();
    stop.addEventListener('abort', interrupt, { once: true });
    end = () => stop.removeEventListener('abort', interrupt);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, stopped]);
  } finally {
    end();
  }
}
