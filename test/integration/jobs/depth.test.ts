import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { uuidv7 } from 'uuidv7';
import { connectWorker } from '../../../workers/queues/connection.js';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { identityExport } from '../../../workers/queues/contracts/identity-export.js';
import { areEmpty, queueDepths } from '../../../workers/queues/depth.js';
import { Producer } from '../../../workers/queues/producer.js';
import { intakeEvent } from '../../support/api/intake-queue.js';
import { until } from '../../support/until.js';

const prefix = `{t${randomUUID().slice(0, 8)}}`;
const [NORMAL, BULK] = alertIntake.queues;
const redis = connectWorker(process.env.TEST_REDIS_URL as string) as Redis;
const other = connectWorker(process.env.TEST_REDIS_URL as string);
const producer = new Producer(other, prefix);
beforeAll(() => until('Redis can be reached', () => producer.ready && redis.status === 'ready'));
afterAll(async () => {
  await producer.close();
  redis.disconnect();
});

const depths = () => queueDepths(redis, prefix, alertIntake.queues);
const empty = { waiting: 0, active: 0, delayed: 0, oldestAt: null };

test('each queue is counted, with the time of its oldest job', async () => {
  expect(await depths()).toEqual([
    { queue: NORMAL, ...empty },
    { queue: BULK, ...empty },
  ]);
  expect(areEmpty(await depths())).toBe(true);
  const before = Date.now();
  const events = [intakeEvent(randomUUID(), {})];
  for (const queue of [BULK, NORMAL, BULK]) {
    await producer.enqueue(alertIntake, uuidv7(), { version: 1, events }, { queue });
  }
  const [normal, bulk] = await depths();
  expect([normal?.waiting, bulk?.waiting]).toEqual([1, 2]);
  expect(bulk?.oldestAt?.getTime()).toBeGreaterThanOrEqual(before);
  expect(bulk?.oldestAt?.getTime()).toBeLessThanOrEqual(normal?.oldestAt?.getTime() as number);
  expect(areEmpty(await depths())).toBe(false);
});

test('jobs with a place are counted as waiting', async () => {
  const jobId = uuidv7();
  const payload = { version: 1, jobId, requestId: 'r' } as const;
  await producer.enqueue(identityExport, jobId, payload, { apiKeyId: 'a key' });
  const [depth] = await queueDepths(redis, prefix, identityExport.queues);
  expect(depth).toMatchObject({ waiting: 1, active: 0, oldestAt: expect.any(Date) });
});

test('the age is that of the oldest job, even if jobs of other keys have earlier places', async () => {
  const exports = identityExport.queues[0];
  const own = `{t${randomUUID().slice(0, 8)}}`;
  const line = new Producer(other, own);
  const add = async (apiKeyId: string) => {
    const jobId = uuidv7();
    await line.enqueue(identityExport, jobId, { version: 1, jobId, requestId: 'r' }, { apiKeyId });
    return jobId;
  };
  const first = await add('a key');
  const old = await add('a key');
  await redis.zrem(`${own}:${exports}:prioritized`, first);
  // A newcomer's first job has the place that the first key's first job had.
  await add('another key');
  await redis.hset(`${own}:${exports}:${old}`, 'timestamp', '1000');
  const [depth] = await queueDepths(redis, own, identityExport.queues);
  expect(depth).toMatchObject({ waiting: 2, oldestAt: new Date(1_000) });
});

test('it is one command, so a job that moves on meanwhile is counted in one place', async () => {
  const own = redis.duplicate();
  const monitor = await own.monitor();
  const commands: string[] = [];
  monitor.on('monitor', (_time: string, args: string[], source: string) => {
    if (source !== 'lua' && args.join(' ').includes(prefix)) commands.push(args[0] as string);
  });
  await depths();
  await redis.set(`${prefix}:end`, '');
  await until('the commands are seen', () => commands.includes('set'));
  monitor.disconnect();
  own.disconnect();
  expect(commands).toEqual(['eval', 'set']);
});
