import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { grantRights } from '../../../db/access/grants.js';
import { connectDatabase } from '../../../db/client/connect.js';
import {
  addPartitions,
  hasRest,
  listPartitions,
  type PartitionedTable,
} from '../../../db/events/day-partitions.js';
import { DAY_MS } from '../../../db/upkeep/horizons.js';
import { findPartitions } from '../../../scripts/doctor/database/partitions.js';
import type { WorkerServices } from '../../../workers/run/services.js';
import {
  alertExpiry,
  expireAlerts,
  expireByDay,
  expireDeliveries,
  expireEvents,
} from '../../../workers/upkeep/expire-by-day.js';
import { expireSeries, refoldLeftSeries } from '../../../workers/upkeep/expire-series.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import type { UpkeepTask } from '../../../workers/upkeep/task.js';
import { countRows, insertOldRows } from '../../support/api/old-rows.js';
import { workerServices } from '../../support/api/run-job.js';
import { daysAgo } from '../../support/days-ago.js';
import { itemsEvent, writeEvents } from '../../support/series/write-items.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const TABLES = ['events', 'alerts'] as const;
let stack: Stack;
let services: WorkerServices;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  const own = workerServices(stack);
  services = { ...own, settings: { ...own.settings, eventRetentionDays: 30, alertRetentionDays: 30 } };
});
beforeEach(async () => {
  for (const table of [...TABLES, 'deliveries', 'series', 'series_items', 'series_alerts'])
    await stack.database.raw(`TRUNCATE TABLE ${table}`);
  for (const table of TABLES)
    await stack.database
      .raw(`ALTER TABLE ${table} REMOVE PARTITIONING`)
      .then(() =>
        stack.database.raw(
          `ALTER TABLE ${table} PARTITION BY RANGE COLUMNS (received_at) (PARTITION rest VALUES LESS THAN (MAXVALUE))`,
        ),
      );
  await allowEverything();
  await services.redis.del(`${services.settings.redisPrefix}:expired-items`);
});
afterAll(() => stack.stop());

/** Returns the midnight that begins a day. */
const midnight = (days: number): Date => new Date(Math.floor(daysAgo(days).getTime() / DAY_MS) * DAY_MS);
/** Returns the days before today at which the partitions of a table end. */
const ends = async (table: PartitionedTable) =>
  (await listPartitions(stack.database, table)).flatMap(({ before }) =>
    before ? [(midnight(0).getTime() - before.getTime()) / DAY_MS] : [],
  );
const makeDays = async (...days: number[]) => {
  for (const table of TABLES) await addPartitions(stack.database, table, days.map(midnight));
};
/** Makes the next turn the first one, which may remove anything. */
const allowEverything = () => stack.database.raw('TRUNCATE TABLE upkeep_horizons');
const fill = (day: number, count: number) =>
  insertOldRows(stack.database, {
    count,
    from: new Date(midnight(day).getTime() + DAY_MS / 2),
    run: day + 10,
  });
const left = () => Promise.all(TABLES.map((table) => countRows(stack.database, table)));

test('drops the days that have expired, without deleting rows, and keeps the other days whole', async () => {
  await makeDays(33, 32, 31, 30, 29);
  for (const day of [35, 33, 31, 30, 2]) await fill(day, 1_200);
  // The rows of the first partition, and of the day that has partly expired, are older than their days.
  expect(await runTurn([expireEvents, expireAlerts], services)).toEqual({
    'expire-events': 0,
    'expire-alerts': 0,
  });
  expect(await left()).toEqual([2_400, 2_400]);
  expect(await ends('events')).toEqual([29, -1, -2]);
  expect(await runTurn([expireEvents, expireAlerts], services)).toEqual({
    'expire-events': 0,
    'expire-alerts': 0,
  });
  expect(await ends('alerts')).toEqual([29, -1, -2]);
});

test('creates the partitions of the next days, longer ones for a long retention, and moves rows that are already there', async () => {
  const found = async () => (await findPartitions('partitions', stack.database)).level;
  expect(await found()).toBe('warning');
  await fill(-1, 10);
  const long = { ...services.settings, alertRetentionDays: 365 };
  expect(await hasRest(stack.database, 'events')).toBe(true);
  await runTurn([expireEvents, expireAlerts], { ...services, settings: long });
  expect(await ends('events')).toEqual([-1, -2]);
  expect(await ends('alerts')).toEqual([-7, -14]);
  expect(await left()).toEqual([10, 10]);
  expect(await hasRest(stack.database, 'events')).toBe(false);
  expect(await found()).toBe('ok');
  await fill(-20, 10);
  expect(await found()).toBe('warning');
});

test('a day with alerts of series loses only its stand-alone alerts, until the series expire', async () => {
  await makeDays(40, 39, 1);
  await fill(40, 1_500);
  const item = (time: number) =>
    itemsEvent(uuidv7(), time, [{ dedupKey: 'disk', status: 'firing' as const }]);
  await writeEvents(stack.database, [item(midnight(40).getTime() + 1), item(Date.now())]);
  const [before] = await stack.database('alerts').whereNotNull('dedup_key');
  const counts = await runTurn([expireSeries, expireAlerts, expireEvents], services);
  expect(counts).toMatchObject({ 'expire-alerts': 1_500, 'expire-events': 0 });
  const alerts = await stack.database('alerts');
  expect(alerts).toEqual([before]);
  expect(await ends('alerts')).toEqual([39, 1, -1, -2]);

  await stack.database('series').update({ last_received_at: daysAgo(50) });
  await stack.database('series_items').update({ received_at: daysAgo(50) });
  await services.redis.del(`${services.settings.redisPrefix}:expired-items`);
  await runTurn([expireSeries, expireAlerts], services);
  expect(await ends('alerts')).toEqual([1, -1, -2]);
});

test('a redelivery is not stored again while its event or its alert can be stored', async () => {
  await makeDays(40, 30, 29);
  const delivered = (day: number) =>
    itemsEvent(`${day}7f7f7f-7f7f-8f7f-8f7f-7f7f7f7f7f7f`, midnight(day).getTime() + 1, []);
  const deliver = () =>
    writeEvents(
      stack.database,
      [40, 30].map((day) => ({ ...delivered(day), receivedAt: Date.now() })),
    );
  const longer = { ...services, settings: { ...services.settings, alertRetentionDays: 60 } };
  await writeEvents(stack.database, [40, 30].map(delivered));
  await runTurn([expireEvents, expireDeliveries], longer);
  await deliver();
  expect(await countRows(stack.database, 'events')).toBe(1);
  // The event of 40 days ago has expired, and its alerts too. The other event is still in its partition.
  await allowEverything();
  await runTurn([expireEvents, expireDeliveries], services);
  await deliver();
  expect(await countRows(stack.database, 'events')).toBe(2);
});

test('an alert of a series that is stored just before its day is dropped is folded again', async () => {
  await makeDays(40, 39, 1);
  const item = (time: number) =>
    itemsEvent(uuidv7(), time, [{ dedupKey: 'disk', status: 'firing' as const }]);
  await writeEvents(stack.database, [item(midnight(41).getTime() + 1), item(Date.now())]);
  const before = await stack.database('alerts');
  const sees = { ...alertExpiry(services), keepsRows: async () => false };
  const dropping: UpkeepTask = { name: 'drop', run: (given, turn) => expireByDay(given, turn, sees) };
  await runTurn([dropping], services);
  expect(await stack.database('alerts')).toEqual([]);
  await runTurn([refoldLeftSeries], services);
  expect(await stack.database('alerts')).toEqual(before);
});

test('a day is dropped a turn later if a transaction uses the table for long, and others wait for a second at most', async () => {
  await makeDays(33, 32, 1);
  await fill(34, 10);
  const long = await stack.database.transaction();
  await long('events').first('id');
  const done = runTurn([expireEvents], services);
  const startedAt = performance.now();
  while (performance.now() - startedAt < 500) await stack.database('events').first('id');
  await done;
  await long.rollback();
  expect(await countRows(stack.database, 'events')).toBe(0);
  expect(await ends('events')).toEqual([33, 32, 1]);
  await runTurn([expireEvents], services);
  expect(await ends('events')).toEqual([1, -1, -2]);
});

test('a worker that is killed while it drops a day leaves the day and the table whole', async () => {
  await makeDays(33, 1, -1, -2);
  await fill(34, 10);
  await fill(2, 5);
  const { database } = stack;
  const reader = await database.transaction();
  await reader('events').first('id');
  const done = runTurn([expireEvents], services);
  const dropping = async (): Promise<number | undefined> => {
    const [rows] = await database.raw('SHOW PROCESSLIST');
    const found = rows.find(({ Info }: { Info: string | null }) => Info?.includes('events DROP PARTITION'));
    return found?.Id;
  };
  let id: number | undefined;
  await until('the turn waits to drop a day', async () => {
    id = await dropping();
    return id !== undefined;
  });
  await database.raw('KILL CONNECTION ?', [id as number]);
  await done;
  await reader.rollback();
  expect(await countRows(database, 'events')).toBe(15);
  await runTurn([expireEvents], services);
  expect(await countRows(database, 'events')).toBe(5);
  expect(await ends('events')).toEqual([1, -1, -2]);
});

test('an account that may not change the tables deletes rows in steps', async () => {
  await makeDays(33, 1);
  await fill(34, 1_001);
  await fill(20, 5);
  const { database } = stack;
  const [[{ name }]] = await database.raw('SELECT DATABASE() AS name');
  const user = `worker_${randomUUID().slice(0, 8)}`;
  await database.raw(`CREATE USER '${user}'@'localhost' IDENTIFIED BY 'x'`);
  await grantRights(database, name, `'${user}'@'localhost'`, 'worker');
  const url = new URL(stack.env.DATABASE_URL as string);
  [url.username, url.password] = [user, 'x'];
  const worker = connectDatabase(url.href);
  try {
    for (const table of TABLES)
      await database.raw(`REVOKE ALTER, CREATE, DROP ON ${name}.${table} FROM '${user}'@'localhost'`);
    const counts = await runTurn([expireEvents, expireAlerts], { ...services, database: worker });
    expect(counts).toEqual({ 'expire-events': 1_001, 'expire-alerts': 1_001 });
    for (const table of TABLES)
      await database.raw(`GRANT ALTER, CREATE, DROP ON ${name}.${table} TO '${user}'@'localhost'`);
    await worker.destroy();
    const granted = connectDatabase(url.href);
    await runTurn([expireEvents, expireAlerts], { ...services, database: granted });
    await granted.destroy();
  } finally {
    await worker.destroy();
    await database.raw(`DROP USER '${user}'@'localhost'`);
  }
  expect(await ends('events')).toEqual([1, -1, -2]);
  expect(await left()).toEqual([5, 5]);
});
