import { setTimeout as sleep } from 'node:timers/promises';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { migrate } from '../../db/migrations/index.js';
import { nodeOptions } from '../processes/node-options.js';
import { spending } from './backlog.js';
import { type BenchContext, type Benchmark, type BenchResult, median } from './benchmark.js';
import { cpuSeconds, endProgram, startProgram } from './children.js';
import { empty } from './drain/write-groups.js';
import { fillExpired, separateExpired } from './filled-tables.js';

const TABLES = ['events', 'alerts'];
/** A server that spends no more than this in a sample is idle. */
const IDLE_CPU_S = 0.02;
const SAMPLE_MS = 1_000;

/** Measures how fast a worker drops the partitions of expired events and alerts. Floor: one TRUNCATE of each table. */
export const retention: Benchmark = (context) =>
  measure(context, { name: 'retention', prepare: separateExpired, statement: 'TRUNCATE TABLE' });

/**
 * Measures how fast a worker deletes expired events and their alerts in steps, with its pauses, until the server has also purged them, as it does
 * with the rows of a release without partitions. Floor: one DELETE of all rows in each table.
 */
export const retentionSteps: Benchmark = (context) =>
  measure(context, { name: 'retention-steps', prepare: async () => {}, statement: 'DELETE FROM' });

interface Way {
  name: string;
  /** Makes the partitions of the empty tables. */
  prepare(database: Database): Promise<void>;
  /** Removes all rows of the table whose name follows. */
  statement: string;
}

async function measure(context: BenchContext, { name, prepare, statement }: Way): Promise<BenchResult> {
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  const rows = TABLES.length * context.rows;
  const [ours, floor]: [number[], number[]] = [[], []];
  for (let run = 0; run < context.runs; run++) {
    for (const [rates, work] of [
      [floor, removeAll(statement)],
      [ours, runWorker],
    ] as const) {
      await empty(database, TABLES);
      if (work === runWorker) await prepare(database);
      await fillExpired(database, context.rows);
      await untilIdle(context.pids.mariadb);
      rates.push(rows / (await work(database, context, rows)));
    }
  }
  await database.destroy();
  const rates = { ours: median(ours), floor: median(floor) };
  return { name, ratio: rates.ours / rates.floor, ...rates, unit: 'rows/s' };
}

const removeAll =
  (statement: string) =>
  async (database: Database, { pids, say }: BenchContext, rows: number): Promise<number> => {
    const spent = spending({ MariaDB: pids.mariadb }, rows);
    const startedAt = performance.now();
    for (const table of TABLES) await database.raw(`${statement} ${table}`);
    const seconds = ((await untilIdle(pids.mariadb)) - startedAt) / 1_000;
    say(`floor ${Math.round(rows / seconds)} rows/s; CPU: ${spent()} a row`);
    return seconds;
  };

/** Starts a worker, whose first turn begins at once. Its start is not measured. */
async function runWorker(
  database: Database,
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
    await sleep(5);
  }
  for (const table of TABLES) while ((await firstRow(database, table)) !== null) await sleep(200);
  const seconds = ((await untilIdle(pids.mariadb)) - startedAt) / 1_000;
  say(`ours  ${Math.round(rows / seconds)} rows/s; CPU: ${spent()} a row`);
  await endProgram(worker);
  return seconds;
}

async function firstRow(database: Database, table: string): Promise<number | null> {
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
