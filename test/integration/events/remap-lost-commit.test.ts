import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { findJob } from '../../../db/jobs/jobs.js';
import { handlers } from '../../../workers/registry.js';
import { WorkerMetrics } from '../../../workers/run/metrics.js';
import { readWorkerSettings } from '../../../workers/run/settings.js';
import { Client } from '../../support/api/client.js';
import { crashing, queuedJob } from '../../support/api/import-desk.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ worker: false });
});
afterAll(() => stack.stop());

test('a remap goes on when the response to a COMMIT is lost, and counts its events once', async () => {
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

  const { files, api } = stack;
  const { producer, reading, redis, log } = api;
  const settings = readWorkerSettings(stack.env);
  const metrics = new WorkerMetrics(new Registry(), redis);
  const lost = crashing(stack.database, { transaction: 0, at: 'lost' });
  const { signal } = new AbortController();
  const services = { settings, reading, redis, files, producer, metrics, log, database: stack.database };
  const outcome = await handlers['alert-remap'](queuedJob(jobId), undefined, {
    ...services,
    ...lost,
    closing: signal,
  });
  expect(outcome).toBe('completed');
  const job = await findJob(stack.database, jobId);
  expect(job).toMatchObject({
    attempts: 1,
    counts: { events: 150, alerts: 150, changed: 150, unchanged: 0 },
  });
});
