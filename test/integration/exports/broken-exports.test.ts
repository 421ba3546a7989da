import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { FileStore } from '../../../db/files/index.js';
import { fillAlerts } from '../../support/api/alerts.js';
import { Client } from '../../support/api/client.js';
import { refillIdentities } from '../../support/api/identities.js';
import { slowStore, storeThat } from '../../support/faults/slow-store.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const EXPORTS = [
  {
    type: 'identity',
    fill: () => refillIdentities(stack.database, 120_000),
    start: () => client.json('POST', '/v2/developers/identities/exports', {}),
  },
  {
    type: 'alert',
    fill: () => fillAlerts(stack.database, 120_000),
    start: () => client.get('/v2/alerts?format=csv', { prefer: 'respond-async' }),
  },
];

test.each(EXPORTS)(
  'an $type export that is canceled stops at its next safe point and leaves no file',
  async ({ fill, start }) => {
    await fill();
    const { files } = stack;
    const worker = stack.worker as NonNullable<Stack['worker']>;
    // The store is slow, so that the export is still running when it is canceled.
    worker.files = slowStore(files);
    const { jobId } = (await start()).body;
    const rowsRead = async () => (await client.get(`/v2/jobs/${jobId}`)).body.data.progress?.rowsRead ?? 0;
    await until('the export is running', async () => (await rowsRead()) > 0);
    await stack.database('jobs').where({ id: jobId }).update({ cancel_requested_at: new Date() });
    const job = (await client.jobEnd(jobId)).body.data;
    worker.files = files;
    expect(job.state).toBe('canceled');
    expect(job.progress.rowsRead).toBeLessThan(120_000);
    expect(job.links.file).toBeUndefined();
    // The job ends at once; the store removes the part that it had written a moment later.
    await until('no file of the job is left', async () => {
      for await (const key of files.list()) if (key.includes(jobId)) return false;
      return true;
    });
    expect((await client.get(`/v2/jobs/${jobId}/file`)).body.code).toBe('job_canceled');
  },
  60_000,
);

test('an export whose file cannot be stored fails, and the download is an error, not a short file', async () => {
  await refillIdentities(stack.database, 10_000);
  const worker = stack.worker as NonNullable<Stack['worker']>;
  worker.files = fullStore(stack.files);
  const response = await client.get('/v2/developers/identities?format=csv');
  worker.files = stack.files;
  expect({ status: response.status, code: response.body.code }).toEqual({
    status: 503,
    code: 'storage_full',
  });
  const { data } = (await client.get(`/v2/jobs/${response.body.jobId}`)).body;
  expect(data).toMatchObject({ state: 'failed', attempts: 1, error: { code: 'storage_full' } });
  for await (const key of stack.files.list()) expect(key).not.toContain(data.id);
}, 90_000);

/** Returns a store that is full after the first 200 kB. */
const fullStore = (files: FileStore): FileStore =>
  storeThat(files, async function* (source) {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > 200_000) throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
      yield chunk;
    }
  });
