import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Queue, Worker } from 'bullmq';
import { pino } from 'pino';
import { privateServerLauncher } from '../../../scripts/private-servers/index.js';
import { connectWorker, type RedisConnection } from '../../../workers/queues/connection.js';
import { QueueWatch, type TakenQueue } from '../../../workers/run/queue-watch.js';
import { scratchParent } from '../../support/scratch.js';
import { staysTrue, until } from '../../support/until.js';

const EVERY_MS = 40;
/** Long enough for ten checks. */
const LONG_MS = 10 * EVERY_MS;
const prefix = `{watch-${randomUUID().slice(0, 8)}}`;
const log = pino({ level: 'silent' });

let redis: RedisConnection;
beforeAll(() => {
  redis = connectWorker(process.env.TEST_REDIS_URL as string);
});
afterAll(async () => {
  const keys = await redis.keys(`${prefix}*`);
  if (keys.length > 0) await redis.del(keys);
  await redis.quit();
});

let queue: Queue;
let worker: Worker;
let taken: TakenQueue;
let stuck: string[][];
let stop: () => void;
beforeEach(async () => {
  const name = randomUUID();
  taken = { name, concurrency: 1, running: 0, taken: 0 };
  stuck = [];
  queue = new Queue(name, { connection: redis, prefix });
  worker = new Worker(
    name,
    async ({ data: { ms } }) => {
      taken.taken += 1;
      taken.running += 1;
      await sleep(ms);
      taken.running -= 1;
    },
    { connection: redis, prefix },
  );
  await worker.waitUntilReady();
  const watch = new QueueWatch({ redis, prefix, queues: [taken], log });
  stop = watch.start((queues) => void stuck.push([...queues]), EVERY_MS);
});
afterEach(async () => {
  stop();
  await worker.close();
  await queue.close();
});

const add = (ms: number, count = 1) =>
  queue.addBulk(Array.from({ length: count }, () => ({ name: 'job', data: { ms } })));

test('a worker that takes no more jobs although some wait is reported once', async () => {
  await add(0);
  await until('it takes jobs', async () => taken.taken === 1 && taken.running === 0);
  await worker.pause();
  await add(0);
  await until('it is reported', async () => stuck.length > 0);
  await staysTrue('it is reported once', LONG_MS, () => stuck.length === 1);
  expect(stuck).toEqual([[taken.name]]);
});

test('a worker without jobs, one with a long job, and one with a backlog are not', async () => {
  await staysTrue('an idle worker is not reported', LONG_MS, () => stuck.length === 0);
  await add(LONG_MS);
  await add(EVERY_MS / 2, 30);
  await until('all jobs are done', async () => taken.taken === 31 && taken.running === 0);
  expect(stuck).toEqual([]);
});

test('jobs that wait for less than three checks are not reported', async () => {
  await worker.pause();
  for (let turn = 0; turn < 4; turn += 1) {
    await add(0);
    await staysTrue('waiting jobs are not reported', 2 * EVERY_MS, () => stuck.length === 0);
    await queue.drain();
    await staysTrue('an empty queue is not reported', 2 * EVERY_MS, () => stuck.length === 0);
  }
  expect(stuck).toEqual([]);
});

test('jobs that come while Redis is stalled, and are taken when it goes on, are not reported', async () => {
  const dir = mkdtempSync(join(scratchParent(), 'muster-watch-'));
  const stalled = await privateServerLauncher({ dir, durable: false, throwAway: true }).redis();
  const own = connectWorker(stalled.url);
  const waiting: TakenQueue = { ...taken, taken: 0, running: 0 };
  const stopOwn = new QueueWatch({ redis: own, prefix, queues: [waiting], log }).start(
    (queues) => void stuck.push([...queues]),
    EVERY_MS,
  );
  try {
    await own.ping();
    process.kill(stalled.pid, 'SIGSTOP');
    const pushed = own.lpush(`${prefix}:${taken.name}:wait`, 'job');
    await staysTrue('a stalled Redis is not reported', 2_500, () => stuck.length === 0);
    process.kill(stalled.pid, 'SIGCONT');
    await pushed;
    await own.del(`${prefix}:${taken.name}:wait`);
    await staysTrue('the queue is not reported afterwards', EVERY_MS, () => stuck.length === 0);
  } finally {
    stopOwn();
    own.disconnect();
    await stalled.stop(0);
    rmSync(dir, { recursive: true, force: true });
  }
});

test('a worker that waits for the turn of another one is not', async () => {
  Object.assign(taken, { globalConcurrency: 1 });
  await queue.setGlobalConcurrency(1);
  await worker.pause();
  const done: string[] = [];
  const other = new Worker(
    taken.name,
    async ({ id, data: { ms } }) => {
      await sleep(ms);
      done.push(id as string);
    },
    { connection: redis, prefix },
  );
  await other.waitUntilReady();
  await add(LONG_MS, 2);
  await until('the other worker has a turn', async () => (await queue.getActiveCount()) === 1);
  worker.resume();
  await until('it has done both', async () => done.length + taken.taken === 2);
  expect(stuck).toEqual([]);
  await other.close();
});
