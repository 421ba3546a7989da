import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { dropPartition, listPartitions } from '../../db/events/day-partitions.js';
import { migrate } from '../../db/migrations/index.js';
import { nodeOptions } from '../processes/node-options.js';
import { spending } from './backlog.js';
import { type BenchContext, type Benchmark, type BenchResult, median } from './benchmark.js';
import { cpuSeconds, endProgram, startProgram } from './children.js';
import { empty } from './drain/write-groups.js';
import { fillExpired, separateExpired } from './filled-tables.js';

const TABLES = ['events', 'alerts'] as const;
type Table = (typeof TABLES)[number];
/** A server that spends no more than this in a sample is idle. */
const IDLE_CPU_S = 0.02;
const SAMPLE_MS = 1_000;
const POLL_MS = 5;

/**
 * Measures how fast a worker drops the partitions of expired events and alerts. Floor: the statements alone. What a turn costs besides does not grow
 * with the rows, so fewer than those of a day would measure that.
 */
export const retention: Benchmark = (context) =>
  measure(context, { name: 'retention', prepare: separateExpired, remove: dropExpired, isPurged: false });

/**
 * Measures how fast a worker deletes expired events and their alerts in steps, with its pauses, until the server has also purged them, as it does
 * with the rows of a release without partitions. Floor: one DELETE of all rows in each table.
 */
export const retentionSteps: Benchmark = (context) =>
  measure(context, { name: 'retention-steps', prepare: async () => {}, remove: deleteAll, isPurged: true });

interface Way {
  name: string;
  /** Makes the partitions of the empty tables. */
  prepare(database: Database): Promise<void>;
  /** Removes all rows of a table. */
  remove(database: Database, table: Table): Promise<void>;
  /** Whether the server goes on in the background when the rows are gone. */
  isPurged: boolean;
}

async function dropExpired(database: Database, table: Table): Promise<void> {
  const [first] = await listPartitions(database, table);
  if (first) await dropPartition(database, table, first);
}

const deleteAll = async (database: Database, table: Table): Promise<void> =>
  void (await database(table).delete());

async function measure(context: BenchContext, way: Way): Promise<BenchResult> {
  const { name, prepare } = way;
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  const rows = TABLES.length * context.rows;
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let run = 0; run < context.runs; run++) {
    for (const [rates, work] of [
      [floor, removeAll],
      [ours, runWorker],
    ] as const) {
      await empty(database, TABLES);
      await prepare(database);
      await fillExpired(database, context.rows);
      await untilIdle(context.pids.mariadb);
      rates.push(rows / (await work(database, way, context, rows)));
    }
  }
  await database.destroy();
  const rates = { ours: median(ours), floor: median(floor) };
  return { name, ratio: rates.ours / rates.floor, ...rates, unit: 'rows/s' };
}

async function removeAll(
  database: Database,
  { remove, isPurged }: Way,
  { pids, say }: BenchContext,
  rows: number,
): Promise<number> {
  const spent = spending({ MariaDB: pids.mariadb }, rows);
  const startedAt = performance.now();
  for (const table of TABLES) await remove(database, table);
  const endedAt = isPurged ? await untilIdle(pids.mariadb) : performance.now();
  const seconds = (endedAt - startedAt) / 1_000;
  say(`floor ${Math.round(rows / seconds)} rows/s in ${seconds.toFixed(2)} s; CPU: ${spent()} a row`);
  return seconds;
}

/** Starts a worker, whose first turn begins at once. Its start is not measured. */
async function runWorker(
  database: Database,
  { isPurged }: Way,
  { databaseUrl, redisUrl, pids, say }: BenchContext,
  rows: number,
): Promise<number> {
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `{retention-${Date.now()}}`,
    LOG_LEVEL: 'warn',
  };
  const worker = startProgram('../../workers/main.js', env, nodeOptions.worker);
  const spent = spending({ worker: worker.pid as number, MariaDB: pids.mariadb }, rows);
  const first = await firstRow(database, 'events');
  let startedAt = performance.now();
  while ((await firstRow(database, 'events')) === first) {
    startedAt = performance.now();
    await sleep(POLL_MS);
  }
  for (const table of TABLES) while ((await firstRow(database, table)) !== null) await sleep(POLL_MS);
  const endedAt = isPurged ? await untilIdle(pids.mariadb) : performance.now();
  const seconds = (endedAt - startedAt) / 1_000;
  say(`ours  ${Math.round(rows / seconds)} rows/s in ${seconds.toFixed(2)} s; CPU: ${spent()} a row`);
  await endProgram(worker);
  return seconds;
}

async function firstRow(database: Database, table: Table): Promise<number | null> {
  const row = await database(table).orderBy('received_at').first('received_at');
  return row ? row.received_at.getTime() : null;
}

/** Waits until the server is idle: it purges deleted rows in the background. Returns when it became idle. */
async function untilIdle(pid: number): Promise<number> {
  for (;;) {
    const [since, before] = [performance.now(), cpuSeconds(pid)];
    await sleep(SAMPLE_MS);
    if (cpuSeconds(pid) - before <= IDLE_CPU_S) return since;
  }
}
