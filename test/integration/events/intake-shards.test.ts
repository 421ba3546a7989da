import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { uuidv7 } from 'uuidv7';
import { queueDepths } from '../../../workers/queues/depth.js';
import { shardName } from '../../../workers/queues/shards/intake-shards.js';
import {
  forgetUnusedShards,
  intakeQueuesInUse,
  shardsInUse,
} from '../../../workers/queues/shards/shards-in-use.js';
import { readWorkerSettings } from '../../../workers/run/settings.js';
import { startWorker } from '../../../workers/start-worker.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { settleIntakeGauge } from '../../../workers/upkeep/settle-intake-gauge.js';
import { Client } from '../../support/api/client.js';
import { intakeEvent } from '../../support/api/intake-queue.js';
import { workerServices } from '../../support/api/run-job.js';
import { ALERT, makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../../support/api/webhooks.js';
import { runWriter } from '../../support/run-writer.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const SHARDS = 5;
const EVENTS = 40;

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
beforeAll(async () => {
  stack = await startStack({ env: { INTAKE_SHARDS: String(SHARDS) }, worker: false });
  client = await Client.of(stack);
  webhook = await makeWebhook(client);
});
afterAll(() => stack.stop());

const eventIds: string[] = [];

test('batches spread over the shards, and the health page and the metrics add the shards up', async () => {
  for (let i = 0; i < EVENTS; i += 1) {
    const response = await sendEvent(stack.url, webhook.path, ALERT);
    eventIds.push(((await response.json()) as { eventId: string }).eventId);
  }
  const { redis } = stack.api;
  await until(
    'the API has announced its shards',
    async () => (await shardsInUse(redis, stack.prefix)) === SHARDS,
  );
  const depths = await queueDepths(redis, stack.prefix, await intakeQueuesInUse(redis, stack.prefix));
  const used = depths.filter(({ waiting }) => waiting > 0);
  expect(used.length).toBeGreaterThan(2);
  expect(depths.reduce((sum, { waiting }) => sum + waiting, 0)).toBe(EVENTS);

  const { body } = await client.get('/v2/health');
  const shown = body.data.queues.filter(({ queue }: { queue: string }) => queue.startsWith('alert-intake'));
  expect(shown).toMatchObject([
    { queue: 'alert-intake', waiting: EVENTS, active: 0, oldestAt: expect.any(String) },
    { queue: 'alert-intake-bulk', waiting: 0, oldestAt: null },
  ]);
  expect(new Date(shown[0].oldestAt)).toEqual(
    used.map(({ oldestAt }) => oldestAt as Date).sort((a, b) => Number(a) - Number(b))[0],
  );
});

test('the dashboard shows each shard as a queue', async () => {
  const { body } = await client.get('/admin/queues/api/queues');
  const names = body.queues.map(({ name }: { name: string }) => name);
  expect(names).toEqual(expect.arrayContaining(['alert-intake', 'alert-intake-4', 'alert-intake-bulk-4']));
  expect(names).not.toContain('alert-intake-5');
});

test('an event that waits in a shard is not stored yet, and not unknown', async () => {
  const { body, status } = await client.get(`/v2/events/${eventIds[0]}`);
  expect([status, body.code]).toEqual([404, 'not_stored_yet']);
});

test('a number of shards is not forgotten while APIs announce it', async () => {
  await forgetUnusedShards(stack.api.redis, stack.prefix);
  expect(await shardsInUse(stack.api.redis, stack.prefix)).toBe(SHARDS);
});

test('a worker with fewer shards than the API takes events from all, and jobs of the release without shards', async () => {
  const old = new Queue('alert-intake', { connection: stack.api.redis, prefix: stack.prefix });
  const event = intakeEvent(webhook.id, ALERT);
  await old.add('alert-intake', { version: 1, events: [event] }, { jobId: uuidv7(), removeOnComplete: true });
  await old.close();
  const settings = readWorkerSettings({ ...stack.env, INTAKE_SHARDS: '1' });
  const worker = startWorker(settings, pino({ level: 'silent' }), { runWriter });
  try {
    expect(worker.queues.map(({ name }) => name)).not.toContain(shardName('alert-intake', 1));
    for (const id of [...eventIds, event.id])
      expect(await receiptOf(client, id)).toMatchObject({ state: 'normalized' });
    expect(worker.queues.map(({ name }) => name)).toContain(shardName('alert-intake-bulk', SHARDS - 1));
    const shared = worker.queues.filter(({ name }) => name.startsWith('alert-intake'));
    await until('no shard runs a job', () => shared.every(({ running }) => running === 0));
    expect(new Set(shared.map(({ concurrency }) => concurrency))).toEqual(new Set([20]));
  } finally {
    await worker.close();
  }
});

test('upkeep forgets a number of shards that no API announces any more', async () => {
  const { redis } = stack.api;
  const services = workerServices(stack);
  const redisPrefix = `${stack.prefix}:later`;
  const later = { ...services, settings: { ...services.settings, redisPrefix } };
  await redis.zadd(`${redisPrefix}:intake:shards`, 1, String(SHARDS + 1));
  expect(await shardsInUse(redis, redisPrefix)).toBe(SHARDS + 1);
  await runTurn([settleIntakeGauge], later);
  expect(await shardsInUse(redis, redisPrefix)).toBe(1);
});
