import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Queue } from 'bullmq';
import { connectProducer } from '../../workers/queues/connection.js';
import { Producer } from '../../workers/queues/producer.js';
import { daysAgo } from '../../workers/upkeep/expire-events.js';
import { countRows, insertOldRows } from '../support/api/old-rows.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

const EVENTS = 30_000;
const prefix = '{retention-kill}';
let processes: Processes;
let producer: Producer;
let queue: Queue;
beforeAll(async () => {
  processes = await startProcesses({ workers: 2, env: { REDIS_PREFIX: prefix, LOG_LEVEL: 'error' } });
  const redis = connectProducer(process.env.TEST_REDIS_URL as string);
  await new Promise((resolve) => redis.once('ready', resolve));
  producer = new Producer(redis, prefix);
  queue = producer.queue('upkeep');
});
afterAll(async () => {
  await producer.close();
  await processes.stop();
});

test('a killed worker leaves its turn to another one, and only one has a turn', async () => {
  const { database, workers } = processes;
  await insertOldRows(database, { count: EVENTS, from: daysAgo(400) });
  const own = { removeOnComplete: true, removeOnFail: true };
  await queue.addBulk(Array.from({ length: 2 }, () => ({ name: 'upkeep', data: { version: 1 }, opts: own })));
  const active: number[] = [];
  const isBelow = async (count: number) => {
    active.push(await queue.getActiveCount());
    return (await countRows(database, 'events')) < count;
  };
  await until('a worker deletes events', () => isBelow(EVENTS));
  for (const worker of workers) worker.kill('SIGKILL');
  const killed = await countRows(database, 'events');
  expect(killed).toBeGreaterThan(1_000);
  for (let i = 0; i < 2; i++) processes.start('workers');
  await until('another worker has deleted the rest', () => isBelow(1), 40_000);
  await until('the alerts are deleted too', async () => (await countRows(database, 'alerts')) === 0);
  expect(Math.max(...active)).toBe(1);
}, 90_000);
