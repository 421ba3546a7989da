import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Queue } from 'bullmq';
import type { Knex } from 'knex';
import { connectProducer } from '../../workers/queues/connection.js';
import { Producer } from '../../workers/queues/producer.js';
import { countRows, insertOldRows } from '../support/api/old-rows.js';
import { daysAgo } from '../support/days-ago.js';
import { loseLock } from '../support/faults/broken-off.js';
import { whyNotShort } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { theRow } from '../support/the-row.js';
import { until } from '../support/until.js';

/** Upkeep deletes 1,000 at a time. */
const EVENTS = 6_000;
const prefix = '{retention-kill}';
let processes: Processes;
let producer: Producer;
let queue: Queue;
let held: Knex.Transaction | undefined;
beforeAll(async () => {
  processes = await startProcesses({ workers: 2, env: { REDIS_PREFIX: prefix, LOG_LEVEL: 'error' } });
  const redis = connectProducer(process.env.TEST_REDIS_URL as string);
  await new Promise((resolve) => redis.once('ready', resolve));
  producer = new Producer(redis, prefix);
  queue = producer.queue('upkeep');
});
/** A failed test may have left it open. */
afterEach(async () => {
  if (held?.isCompleted() === false) await held.rollback();
});
afterAll(async () => {
  await producer.close();
  await processes.stop();
});

testUnless(whyNotShort)(
  'a killed worker leaves its turn to another one, and only one has a turn',
  async () => {
    const { database, workers } = processes;
    await insertOldRows(database, { count: EVENTS, from: daysAgo(400) });
    // Upkeep waits for this event, in the middle, until its worker has been killed.
    const event = await theRow(
      database('events')
        .orderBy('received_at')
        .offset(EVENTS / 2)
        .limit(1)
        .select('received_at', 'id'),
    );
    held = await database.transaction();
    await held('events').where(event).forUpdate().select('id');
    const own = { removeOnComplete: true, removeOnFail: true };
    await queue.addBulk(
      Array.from({ length: 2 }, () => ({ name: 'upkeep', data: { version: 1 }, opts: own })),
    );
    const active: number[] = [];
    const isAtMost = async (count: number) => {
      active.push(await queue.getActiveCount());
      return (await countRows(database, 'events')) <= count;
    };
    const fault = new Fault('SIGKILL of the workers in the middle of retention');
    await until('a worker has deleted the first half', () => isAtMost(EVENTS / 2));
    await Promise.all(workers.map((worker) => end(worker, 'SIGKILL')));
    expect(await countRows(database, 'events')).toBe(EVENTS / 2);
    await held.rollback();
    for (const { id } of await queue.getActive())
      await loseLock(process.env.TEST_REDIS_URL as string, prefix, queue.name, id as string);
    await fault.recovery(async () => {
      for (let i = 0; i < 2; i++) processes.start('workers');
      await until('another worker has deleted the rest', () => isAtMost(0), 40_000);
    });
    fault.report();
    await until('the alerts are deleted too', async () => (await countRows(database, 'alerts')) === 0);
    expect(Math.max(...active)).toBe(1);
  },
  90_000,
);
