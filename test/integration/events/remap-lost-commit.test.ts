import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findJob } from '../../../db/jobs/jobs.js';
import { handlers } from '../../../workers/registry.js';
import { Client } from '../../support/api/client.js';
import { crashing } from '../../support/api/import-desk.js';
import { recordedJob, runJob, workerServices } from '../../support/api/run-job.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ worker: false });
});
afterAll(() => stack.stop());

test('a remap continues if the response to a COMMIT is lost, and counts its events once', async () => {
  const client = await Client.of(stack);
  const { id } = await makeWebhook(client, { template: null });
  const mapping = (severity: string) => ({
    fields: { severity: { template: severity }, description: { template: 'd' }, source: { template: 's' } },
  });
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping('{{webhook.before}}'));
  const payloads = Array.from({ length: 150 }, () => ({ before: 'info', after: 'critical' }));
  await storePayloads(stack.database, id, payloads);
  await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping('{{webhook.after}}'));
  const { jobId } = (await client.json('POST', `/v2/webhooks/${id}/remap`, {})).body;

  const lost = crashing(stack.database, { transaction: 0, at: 'lost' });
  const { closing, ...services } = workerServices(stack);
  const worker = { ...services, ...lost, closing };
  const outcome = await runJob(handlers['alert-remap'], recordedJob(jobId), worker);
  expect(outcome).toBe('completed');
  const job = await findJob(stack.database, jobId);
  expect(job).toMatchObject({
    attempts: 1,
    counts: { events: 150, alerts: 150, changed: 150, unchanged: 0 },
  });
});
