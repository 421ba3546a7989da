import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { connectWorker, type RedisConnection } from '../../../workers/queues/connection.js';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { areEmpty, queueDepths } from '../../../workers/queues/depth.js';
import { fillQueue, PREFIX } from '../backlog.js';
import type { BenchContext, Benchmark } from '../benchmark.js';
import { GENERIC, makeWebhook } from '../drain/drain.js';
import { empty } from '../drain/write-groups.js';
import { exportIdentities } from '../export.js';
import { writeIdentitiesFile } from '../import/identities-file.js';
import { importFile } from '../import/upload.js';
import { ALERT, createWebhook, sendAlerts } from '../load.js';
import { type Fleet, startFleet } from './fleet.js';
import { describeUsage, measureUsage, total } from './usage.js';

const SIZES = [1, 2, 4];
/** Long enough for every process to start and to compile what it runs often. */
const WARM_UP_S = 8;
const TABLES = ['events', 'alerts', 'identities'];

interface Stores {
  database: Database;
  redis: RedisConnection;
}

/**
 * Measures throughput, CPU and space per unit with one, two and four processes of the API and of the worker: the inputs of docs/scaling.md.
 * The result compares the CPU per event, from the request to the stored alert, with four of each (ours) and with one of each (floor).
 */
export const scale: Benchmark = async (context) => {
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  const redis = connectWorker(context.redisUrl);
  const costs: number[] = [];
  try {
    for (const size of SIZES) {
      await empty(database, [...TABLES, 'identity_history', 'import_changes']);
      context.say(`${size} ${size === 1 ? 'process' : 'processes'} of the API, and as many workers:`);
      costs.push(await measureFleet(context, { database, redis }, size));
    }
    await describeSpace(database, context);
  } finally {
    redis.disconnect();
    await database.destroy();
  }
  const [floor, ours] = [costs[0], costs.at(-1)] as [number, number];
  return { name: 'scale', ratio: floor / ours, ours, floor, unit: 'µs of CPU an event' };
};

/** Returns the CPU of all parts per event, in µs. */
async function measureFleet(
  context: BenchContext,
  { database, redis }: Stores,
  size: number,
): Promise<number> {
  const fleet = await startFleet(context, size);
  try {
    const accepted = await measureIntake(context, fleet, redis);
    // The workers store what was accepted, which also warms them up.
    fleet.startWorkers();
    await untilDrained(redis);
    const stored = await measureDrain(context, fleet, redis, await makeWebhook(database, GENERIC.mapping));
    await measureImports(context, fleet, size);
    await measureExports(context, fleet, size);
    return accepted + stored;
  } finally {
    await fleet.stop();
  }
}

/** Measures how many events are accepted while no worker runs. Returns the CPU per event, in µs. */
async function measureIntake(context: BenchContext, fleet: Fleet, redis: RedisConnection): Promise<number> {
  const url = await createWebhook(fleet.url, fleet.key);
  await sendAlerts(url, { seconds: WARM_UP_S });
  const memory = await usedMemory(redis);
  const usage = measureUsage(context, fleet);
  const load = await sendAlerts(url);
  const spent = usage();
  const events = load['2xx'];
  const bytes = Math.round(((await usedMemory(redis)) - memory) / events);
  context.say(
    `  intake  ${Math.round(load.requests.average)} events/s, p50 ${load.latency.p50} ms, p99 ${load.latency.p99} ms; ` +
      `CPU: ${describeUsage(spent, events)} an event; ${bytes} bytes of Redis`,
  );
  return (total(spent) * 1e6) / events;
}

async function usedMemory(redis: RedisConnection): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]);
}

/** Measures how fast events are stored while the queue is filled faster. Returns the CPU per event, in µs. */
async function measureDrain(
  context: BenchContext,
  fleet: Fleet,
  redis: RedisConnection,
  webhookId: string,
): Promise<number> {
  const usage = measureUsage(context, fleet);
  const startedAt = performance.now();
  await fillQueue(context, webhookId, () => ALERT);
  await untilDrained(redis);
  const rate = context.rows / ((performance.now() - startedAt) / 1_000);
  const spent = usage();
  context.say(`  drain   ${Math.round(rate)} events/s; CPU: ${describeUsage(spent, context.rows)} an event`);
  return (total(spent) * 1e6) / context.rows;
}

async function untilDrained(redis: RedisConnection): Promise<void> {
  while (!areEmpty(await queueDepths(redis, PREFIX, alertIntake.queues))) await sleep(20);
}

/** Imports one file for each worker at the same time. Together they have the rows of the benchmark. */
async function measureImports(context: BenchContext, fleet: Fleet, size: number): Promise<void> {
  const rows = Math.floor(context.rows / size);
  const files = Array.from({ length: size }, (_, i) => join(context.folder, `identities-${i}.csv`));
  for (const [i, file] of files.entries()) await writeIdentitiesFile(file, rows, i * rows);
  await measureRows(context, fleet, {
    name: 'import',
    rows: rows * size,
    work: () => Promise.all(files.map((file) => importFile(fleet, file))),
  });
}

/** Exports all identities once for each worker, at the same time. */
async function measureExports(context: BenchContext, fleet: Fleet, size: number): Promise<void> {
  const rows = Math.floor(context.rows / size) * size;
  await measureRows(context, fleet, {
    name: 'export',
    rows: rows * size,
    work: async () => {
      const exports = Array.from({ length: size }, () => exportIdentities(fleet.url, fleet.key));
      for (const exported of await Promise.all(exports)) {
        if (exported !== rows) throw new Error(`exported ${exported} rows of ${rows}`);
      }
    },
  });
}

async function measureRows(
  context: BenchContext,
  fleet: Fleet,
  { name, rows, work }: { name: string; rows: number; work(): Promise<unknown> },
): Promise<void> {
  const usage = measureUsage(context, fleet);
  const startedAt = performance.now();
  await work();
  const rate = Math.round(rows / ((performance.now() - startedAt) / 1_000));
  context.say(`  ${name}  ${rate} rows/s; CPU: ${describeUsage(usage(), rows)} a row`);
}

/** Reports the space of a row with its indexes. */
async function describeSpace(database: Database, { say }: BenchContext): Promise<void> {
  const sizes = await Promise.all(
    TABLES.map(async (table) => {
      await database.raw('ANALYZE TABLE ??', [table]);
      const [[size]] = await database.raw(
        `SELECT data_length AS data, index_length AS indexes, table_rows AS count
         FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?`,
        [table],
      );
      const perRow = (bytes: number) => Math.round(bytes / size.count);
      return `${table} ${perRow(size.data)} + ${perRow(size.indexes)}`;
    }),
  );
  say(`bytes per row (data + indexes): ${sizes.join(', ')}`);
}
