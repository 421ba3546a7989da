import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { StoreFull, StoreUnavailable } from '../../../db/files/index.js';
import { S3Store } from '../../../db/files/s3.js';
import { startS3, type TestS3 } from '../../support/servers/s3.js';

const SHORT = { requestMs: 1_000, idleReadMs: 500, idleWriteMs: 1_000 };
const small = Buffer.from('a,b\n');
/** Three parts of an upload. */
const large = Buffer.alloc(20 * 1024 * 1024, 'muster');
let s3: TestS3;
let files: S3Store;
beforeAll(async () => {
  s3 = await startS3();
  files = new S3Store(s3.url('faults'), SHORT);
  // The first use loads the SDK, which may take longer than these deadlines.
  await new S3Store(s3.url('faults')).write('results/kept', Readable.from([large]));
});
afterEach(() => {
  s3.server.behavior = 'works';
});
afterAll(() => s3.stop());

async function listAll(): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of files.list()) keys.push(key);
  return keys;
}

const calls: [string, () => Promise<unknown>][] = [
  ['stat', () => files.stat('results/kept')],
  ['list', listAll],
  ['read', () => buffer(files.read('results/kept'))],
  ['write of one part', () => files.write('uploads/small', Readable.from([small]))],
  ['write of several parts', () => files.write('uploads/large', Readable.from([large]))],
  ['remove', () => files.remove('uploads/small')],
];

/** A check succeeds with any response of the store, except that it is unavailable. */
const allCalls: typeof calls = [...calls, ['check', () => files.check()]];

test.each(allCalls)('%s fails in time when the store stalls', async (_, call) => {
  s3.server.behavior = 'stalls';
  await expect(call()).rejects.toBeInstanceOf(StoreUnavailable);
});

test.each(allCalls)('%s fails as unavailable when the store responds with 503', async (_, call) => {
  s3.server.behavior = 'fails';
  await expect(call()).rejects.toBeInstanceOf(StoreUnavailable);
});

test.each(calls)('%s fails for good when the store does not implement it (501)', async (_, call) => {
  s3.server.behavior = 'lacks the operation';
  const error = await call().catch((reason) => reason);
  expect(error).toMatchObject({ $metadata: { httpStatusCode: 501 } });
  expect(error).not.toBeInstanceOf(StoreUnavailable);
});

test('all calls fail as unavailable while the server rejects connections, and succeed once it accepts them', async () => {
  const { port } = s3.server;
  await s3.server.stop();
  for (const [, call] of allCalls) await expect(call()).rejects.toBeInstanceOf(StoreUnavailable);
  await s3.server.listen(port);
  for (const [, call] of allCalls) await call();
});

test('a file whose remaining bytes do not arrive fails in time', async () => {
  s3.server.behavior = 'stalls in bodies';
  await expect(buffer(files.read('results/kept'))).rejects.toBeInstanceOf(StoreUnavailable);
});

test('a full store is reported as full', async () => {
  s3.server.behavior = 'is full';
  for (const content of [small, large]) {
    await expect(files.write('uploads/full', Readable.from([content]))).rejects.toBeInstanceOf(StoreFull);
  }
});

test('a failed upload of several parts leaves no parts behind', async () => {
  const failure = new Error('the source failed');
  const source = Readable.from(
    (async function* () {
      yield large;
      throw failure;
    })(),
  );
  await expect(files.write('uploads/broken', source)).rejects.toBe(failure);
  const deadline = Date.now() + 10_000;
  while (s3.server.uploads.size > 0 && Date.now() < deadline) await sleep(20);
  expect(s3.server.uploads.size).toBe(0);
});

test('a slow reader or a slow source is not reported as a stalled store', async () => {
  let bytes = 0;
  for await (const chunk of files.read('results/kept')) {
    if (bytes === 0) await sleep(3 * SHORT.idleReadMs);
    bytes += chunk.length;
  }
  expect(bytes).toBe(large.length);
  const slow = Readable.from(
    (async function* () {
      yield small;
      await sleep(3 * SHORT.idleWriteMs);
      yield small;
    })(),
  );
  expect(await files.write('uploads/slow', slow)).toEqual({ bytes: 2 * small.length });
});

test('many stalled downloads do not block other calls', async () => {
  // Time to open that many on a busy machine.
  const store = new S3Store(s3.url('faults'), { requestMs: 15_000 });
  const downloads = Array.from({ length: 60 }, () => store.read('results/kept'));
  await Promise.all(downloads.map((download) => once(download, 'readable')));
  expect(await store.stat('results/kept')).toMatchObject({ bytes: large.length });
  for (const download of downloads) download.destroy();
});
