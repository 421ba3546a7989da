import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { connectWorker } from '../../../workers/queues/connection.js';
import { nextPlace, placeStarted } from '../../../workers/queues/fair-order.js';
import { until } from '../../support/until.js';

const redis = connectWorker(process.env.TEST_REDIS_URL as string);
let prefix: string;
beforeAll(() => until('Redis can be reached', () => redis.status === 'ready'));
beforeEach(() => {
  prefix = `{t${randomUUID().slice(0, 8)}}`;
});
afterAll(() => redis.disconnect());

/** A queue for tests of the order only. A marker among its delayed jobs keeps it from being empty. */
async function openQueue() {
  await redis.zadd(`${prefix}:q:delayed`, 1, 'marker');
  const waiting: { key: string; place: number; arrived: number }[] = [];
  let arrived = 0;
  return {
    submit: async (key: string) => {
      waiting.push({ key, place: await nextPlace(redis, prefix, 'q', key), arrived: arrived++ });
    },
    /** Starts the next job, and returns its key. */
    start: async () => {
      waiting.sort((a, b) => a.place - b.place || a.arrived - b.arrived);
      const next = waiting.shift();
      if (!next) throw new Error('the queue is empty');
      await placeStarted(redis, prefix, 'q', next.place);
      return next.key;
    },
  };
}

test("another key's first job waits for at most two of a key with hundreds", async () => {
  const queue = await openQueue();
  for (let i = 0; i < 500; i++) await queue.submit('many');
  for (let i = 0; i < 100; i++) await queue.start();
  await queue.submit('one');
  expect([await queue.start(), await queue.start(), await queue.start()]).toContain('one');
});

test.each([
  ['of one key', () => 'stream'],
  ['of a new key each time', () => randomUUID()],
])('a stream %s that always has one job waiting does not starve a longer line', async (_, nextKey) => {
  const queue = await openQueue();
  for (let i = 0; i < 20; i++) await queue.submit('line');
  await queue.submit(nextKey());
  const started: string[] = [];
  for (let i = 0; i < 40; i++) {
    const key = await queue.start();
    started.push(key);
    if (key !== 'line') await queue.submit(nextKey());
  }
  expect(started.filter((key) => key === 'line').length).toBeGreaterThanOrEqual(19);
});

test('places start over when the queue is empty', async () => {
  expect(await nextPlace(redis, prefix, 'q', 'a')).toBe(1);
  await redis.lpush(`${prefix}:q:active`, 'job');
  expect(await nextPlace(redis, prefix, 'q', 'a')).toBe(2);
  await redis.del(`${prefix}:q:active`);
  expect(await nextPlace(redis, prefix, 'q', 'a')).toBe(1);
});
