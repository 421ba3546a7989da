import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import type { FileStore } from '../../../db/files/index.js';
import { interruptible } from '../../../workers/run/run-handler.js';

/** A store that is still waiting for space: it does not listen to its source until `open` is called. */
const slow = () => {
  let open = () => {};
  const room = new Promise<void>((resolve) => {
    open = resolve;
  });
  let writes = 0;
  const write = async (_key: string, source: Readable) => {
    writes += 1;
    await room;
    let bytes = 0;
    for await (const chunk of source) bytes += chunk.length;
    return { bytes };
  };
  return { files: { write } as unknown as FileStore, open, writes: () => writes };
};

const content = () => Readable.from([Buffer.from('a\n')]);
/** Lets an `error` event without a listener become an uncaught exception, which fails the test. */
const settle = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

test('a write that is interrupted before the store listens to its source fails only with the reason', async () => {
  const store = slow();
  const stop = new AbortController();
  const reason = new Error('canceled');
  const writing = interruptible(store.files, stop.signal).write('results/x', content());
  await settle();
  stop.abort(reason);
  await expect(writing).rejects.toBe(reason);
  await settle();
  store.open();
  await settle();
});

test('a write after the stop does not reach the store, and ends its source', async () => {
  const store = slow();
  const reason = new Error('canceled');
  const source = Readable.from(['a']);
  const writing = interruptible(store.files, AbortSignal.abort(reason)).write('results/x', source);
  await expect(writing).rejects.toBe(reason);
  await settle();
  expect([store.writes(), source.destroyed]).toEqual([0, true]);
});
