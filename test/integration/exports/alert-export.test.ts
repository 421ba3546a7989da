import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findJob, type Job } from '../../../db/jobs/jobs.js';
import { exportAlerts } from '../../../workers/jobs/alert-export.js';
import type { Services } from '../../../workers/run/services.js';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

test('each attempt writes a file of its own, so that an ETag never names the bytes of two', async () => {
  const client = await Client.of(stack);
  expect((await client.get('/v2/alerts?format=csv')).status).toBe(200);
  const { id } = await stack.database('jobs').first('id');
  const job = (await findJob(stack.database, id)) as Job;
  const again = await exportAlerts(job, stack.worker as Services);
  expect(again.resultKey).not.toBe(job.resultKey);
  for (const key of [job.resultKey, again.resultKey])
    expect(await stack.files.stat(key as string)).not.toBeNull();
});
