import { once } from 'node:events';
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { createApiKey } from '../../../db/access/api-keys.js';
import { finishJob } from '../../../db/jobs/job-lifecycle.js';
import { insertJob } from '../../../db/jobs/jobs.js';
import { peakRssMb } from '../../../scripts/bench/children.js';
import { type Processes, startProcesses } from '../../support/servers/processes.js';
import { staysTrue } from '../../support/until.js';

const BYTES = 1024 * 1024 * 1024;
let muster: Processes;
beforeAll(async () => {
  muster = await startProcesses();
}, 60_000);
afterAll(() => muster.stop());

/** Creates an export with a sparse file of 1 GiB, which takes no disk space. Returns its job id. */
async function hugeExport(): Promise<string> {
  const id = uuidv7();
  const resultKey = `results/${id}.x`;
  const path = join(muster.folder, 'files', resultKey);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, '');
  truncateSync(path, BYTES);
  const job = { id, type: 'identity-export', queue: 'identity-export', apiKeyId: uuidv7(), requestId: 'r' };
  await insertJob(muster.database, { ...job, params: { version: 1, filters: {}, format: 'csv' } });
  await finishJob(muster.database, id, { state: 'completed', resultKey, keptS: 600 });
  return id;
}

/** Checks that the API's peak memory grows by less than a limit while that many clients read the beginning of a file and then stop. */
async function costStaysBelow(limitMb: number, readers: number): Promise<void> {
  const id = await hugeExport();
  const scopes = ['developer_records:read'] as const;
  const { text } = await createApiKey(muster.database, { name: 'slow', scopes });
  const headers = { authorization: `ApiKey ${text}` };
  const before = peakRssMb(muster.api.pid as number);
  const requests: ClientRequest[] = [];
  while (requests.length < readers) {
    // In groups, because a busy database responds with 503 to requests that wait too long for a connection.
    const group = Array.from({ length: Math.min(20, readers - requests.length) }, () =>
      get(`${muster.url}/v2/jobs/${id}/file`, { headers, agent: false }),
    );
    requests.push(...group);
    // Listen to all requests at once: Node reads a response without a listener to its end and discards it.
    for (const pending of group.map((request) => once(request, 'response'))) {
      const [response] = (await pending) as [IncomingMessage];
      response.pause();
      expect([response.statusCode, response.headers['content-length']]).toEqual([200, String(BYTES)]);
    }
  }
  const costMb = () => peakRssMb(muster.api.pid as number) - before;
  await staysTrue('the API does not read on', 3_000, () => costMb() < limitMb);
  for (const request of requests) request.destroy();
  expect((await fetch(`${muster.url}/healthz`)).status).toBe(200);
}

test('the API reads no further than its clients, so stalled downloads cost no memory', async () => {
  await costStaysBelow(80, 4);
}, 60_000);

test('200 stalled downloads cost less than 250 KB each', async () => {
  await costStaysBelow(50, 200);
}, 60_000);
