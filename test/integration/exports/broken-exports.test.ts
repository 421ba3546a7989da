import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FileStore } from '../../../db/files/index.js';
import { Client } from '../../support/api/client.js';
import { refillIdentities } from '../../support/api/identities.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const EXPORTS = '/v2/developers/identities/exports';
let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

test('an export that is canceled stops at its next safe point and leaves no file', async () => {
  await refillIdentities(stack.database, 120_000);
  const { files } = stack;
  const worker = stack.worker as NonNullable<Stack['worker']>;
  // The store dawdles, so that the export is still under way when it is canceled.
  worker.files = dawdling(files);
  const { jobId } = (await client.json('POST', EXPORTS, {})).body;
  const rowsRead = async () => (await client.get(`/v2/jobs/${jobId}`)).body.data.progress.rowsRead;
  await until('the export is under way', async () => (await rowsRead()) > 0);
  await stack.database('jobs').where({ id: jobId }).update({ cancel_requested_at: new Date() });
  const job = (await client.jobEnd(jobId)).body.data;
  worker.files = files;
  expect(job.state).toBe('canceled');
  expect(job.links.file).toBeUndefined();
  // The job ends at once; the store removes the part that it had written a moment later.
  await until('no file of the job is left', async () => {
    for await (const key of files.list()) if (key.includes(jobId)) return false;
    return true;
  });
  expect((await client.get(`/v2/jobs/${jobId}/file`)).body.code).toBe('job_canceled');
}, 60_000);

test('an export whose file cannot be stored fails, and the download is an error, not a short file', async () => {
  await refillIdentities(stack.database, 10_000);
  const worker = stack.worker as NonNullable<Stack['worker']>;
  worker.files = refusing(stack.files);
  const answer = await client.get('/v2/developers/identities?format=csv');
  worker.files = stack.files;
  expect({ status: answer.status, code: answer.body.code }).toEqual({ status: 503, code: 'storage_full' });
  const { data } = (await client.get(`/v2/jobs/${answer.body.jobId}`)).body;
  expect(data).toMatchObject({ state: 'failed', attempts: 1, error: { code: 'storage_full' } });
  for await (const key of stack.files.list()) expect(key).not.toContain(data.id);
}, 90_000);

/** A store that reads half of what it is given and is full then. */
const refusing = (files: FileStore): FileStore =>
  changed(files, async function* (source) {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > 200_000) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      yield chunk;
    }
  });

/** A store that takes its time over each chunk. */
const dawdling = (files: FileStore): FileStore =>
  changed(files, async function* (source) {
    for await (const chunk of source) {
      await sleep(150);
      yield chunk;
    }
  });

/** A store that does something to what is written. */
function changed(
  files: FileStore,
  pass: (source: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
): FileStore {
  return {
    write: (key, source) => files.write(key, Readable.from(pass(source), { objectMode: false })),
    stat: (key) => files.stat(key),
    remove: (key) => files.remove(key),
    list: () => files.list(),
    read: (...what) => files.read(...what),
  };
}
