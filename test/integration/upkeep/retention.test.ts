import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { deleteOldest } from '../../../db/events/delete-oldest.js';
import { doUpkeep } from '../../../workers/jobs/upkeep.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import { expireAlerts, expireEvents } from '../../../workers/upkeep/expire-by-day.js';
import { expireSeries } from '../../../workers/upkeep/expire-series.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import type { UpkeepTask } from '../../../workers/upkeep/task.js';
import { countRows, insertOldRows } from '../../support/api/old-rows.js';
import { workerServices } from '../../support/api/run-job.js';
import { daysAgo } from '../../support/days-ago.js';
import { foldAll, seriesTables, storedAlerts } from '../../support/series/model.js';
import { itemsEvent, itemsOf, writeEvents } from '../../support/series/write-items.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  services = workerServices(stack);
});
beforeEach(async () => {
  for (const table of ['events', 'alerts', 'series', 'series_items', 'series_alerts'])
    await stack.database.raw(`TRUNCATE TABLE ${table}`);
  await services.redis.del(`${services.settings.redisPrefix}:expired-items`);
});
afterAll(() => stack.stop());

const left = () => Promise.all(['events', 'alerts'].map((table) => countRows(stack.database, table)));

test('one turn deletes a backlog of 52,000 events and their alerts, and nothing else', async () => {
  const { database } = stack;
  await insertOldRows(database, { count: 52_000, from: daysAgo(400) });
  await insertOldRows(database, { count: 5, from: daysAgo(1), run: 1 });
  // An alert of a series expires with its items.
  const kept = await database('alerts').orderBy('received_at').limit(1_500).select('id');
  await database('alerts')
    .whereIn(
      'id',
      kept.map(({ id }) => id),
    )
    .update({ dedup_key: 'k' });
  await doUpkeep(services);
  expect(await left()).toEqual([5, 1_505]);
});

test('a step deletes no more rows than its limit, also if they were all received at the same time', async () => {
  const { database } = stack;
  await insertOldRows(database, { count: 10, from: daysAgo(400) });
  const received_at = new Date(daysAgo(400).setMilliseconds(0));
  await database('events').update({ received_at });
  const counts: number[] = [];
  let from: Date | null = null;
  do {
    const deleted: Awaited<ReturnType<typeof deleteOldest>> = await deleteOldest(
      database,
      'events',
      { from, before: daysAgo(1) },
      4,
    );
    counts.push(deleted.count);
    from = deleted.next;
  } while (from);
  expect(counts).toEqual([4, 4, 2]);
});

test('a worker that shuts down stops after a step, and the next turn does the rest', async () => {
  await insertOldRows(stack.database, { count: 3_500, from: daysAgo(400) });
  const closing = new AbortController();
  const closes: UpkeepTask = {
    ...expireEvents,
    async *run(given, turn) {
      for await (const count of expireEvents.run(given, turn)) {
        closing.abort();
        yield count;
      }
    },
  };
  const some = await runTurn([closes, expireAlerts], { ...services, closing: closing.signal });
  expect(some).toEqual({ 'expire-events': 1_000, 'expire-alerts': 0 });
  expect(await runTurn([expireEvents, expireAlerts], services)).toEqual({
    'expire-events': 2_500,
    'expire-alerts': 3_500,
  });
  expect(await left()).toEqual([0, 0]);
});

test('tasks take turns, and the turn ends while one has more to do', async () => {
  const order: string[] = [];
  const ended: string[] = [];
  const task = (name: string, steps: number): UpkeepTask => ({
    name,
    async *run() {
      try {
        for (let step = 0; step < steps; step++) {
          order.push(name);
          yield await new Promise<number>((resolve) => setTimeout(() => resolve(1), 2));
        }
      } finally {
        ended.push(name);
      }
    },
  });
  const counts = await runTurn([task('endless', Number.POSITIVE_INFINITY), task('short', 3)], services, {
    sliceMs: 1,
    gentleMs: 100,
    turnMs: 100,
  });
  expect(order.slice(0, 6)).toEqual(['endless', 'short', 'endless', 'short', 'endless', 'short']);
  expect(counts.short).toBe(3);
  expect(counts.endless).toBeGreaterThan(3);
  expect(ended).toEqual(['short', 'endless']);
});

test('tasks run at the same time after the gentle part of a turn', async () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const waits: UpkeepTask = {
    name: 'waits',
    async *run() {
      await opened;
      yield 1;
    },
  };
  const opens: UpkeepTask = {
    name: 'opens',
    async *run() {
      open();
      yield 1;
    },
  };
  const limits = { sliceMs: 1_000, gentleMs: 0, turnMs: 1_000 };
  expect(await runTurn([waits, opens], services, limits)).toEqual({ waits: 1, opens: 1 });
});

test('one turn expires several pages of items, and an alert that goes on is as if none had expired', async () => {
  const old = daysAgo(400).getTime();
  const events = Array.from({ length: 13 }, (_, number) =>
    itemsEvent(
      uuidv7(),
      old + number,
      Array.from({ length: 250 }, (_, item) => ({
        dedupKey: item < 240 ? `${number} ${item >> 1}` : 'disk',
        status: item < 240 && item % 2 === 1 ? ('resolved' as const) : ('firing' as const),
      })),
    ),
  );
  const last = itemsEvent(uuidv7(), Date.now(), [{ dedupKey: 'disk', status: 'firing' as const }]);
  await writeEvents(stack.database, [...events, last]);
  await runTurn([expireSeries], services);
  const ofDisk = [...events, last].flatMap(itemsOf).filter(({ dedupKey }) => dedupKey === 'disk');
  expect(await storedAlerts(stack.database)).toEqual(foldAll(ofDisk));
  const tables = await seriesTables(stack.database);
  expect(tables.starts).toEqual(tables.alerts);
  expect(tables.latest).toEqual(tables.newest);
  expect(await countRows(stack.database, 'series_items')).toBeLessThan(10);
});
