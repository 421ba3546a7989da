import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { uuidv7 } from 'uuidv7';
import { connectDatabase } from '../../../db/client/connect.js';
import { isDatabaseUnavailable } from '../../../db/client/errors.js';
import { queuedBatch } from '../../../workers/events/store/event-batch.js';
import { EventWriter } from '../../../workers/events/store/event-writer.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { intakeEvent } from '../../support/api/intake-queue.js';
import { ALERT } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let services: WorkerServices;
let queue: Queue;
beforeAll(async () => {
  stack = await startStack();
  services = stack.worker as WorkerServices;
  // No worker takes jobs from this queue.
  queue = new Queue('held', { connection: services.redis, prefix: services.settings.redisPrefix });
});
afterAll(async () => {
  await queue.close();
  await stack.stop();
});

const webhookId = uuidv7();

async function enqueued() {
  const events = [intakeEvent(webhookId, ALERT), intakeEvent(webhookId, ALERT)];
  return { events, job: await queue.add('alert-intake', { version: 1, events }) };
}

test('releases the events of a batch, and reads them again whenever they are needed', async () => {
  const { events, job } = await enqueued();
  const batch = queuedBatch(job, services);
  expect(batch).toMatchObject({ count: 2, webhookIds: [webhookId] });
  expect(job.data).toBeNull();
  for (let time = 0; time < 3; time++) expect(await batch.events()).toEqual(events);
});

test('returns no events for a batch whose job is removed', async () => {
  const { events, job } = await enqueued();
  const batch = queuedBatch(job, services);
  expect(await batch.events()).toEqual(events);
  await job.remove();
  expect(await batch.events()).toEqual([]);
});

test('keeps the events in memory while the database is unavailable', async () => {
  const { events, job } = await enqueued();
  const batch = queuedBatch(job, services);
  const unavailable = connectDatabase('mysql://nobody@127.0.0.1:1/none');
  const error = await new EventWriter({ ...services, database: unavailable })
    .write('held', batch)
    .catch((reason: unknown) => reason);
  expect(isDatabaseUnavailable(error)).toBe(true);
  await job.remove();
  expect(await batch.events()).toEqual(events);
  await unavailable.destroy();
});
