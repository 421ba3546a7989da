import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase } from '../../db/client/connect.js';
import { privateServerLauncher } from '../../scripts/private-servers/index.js';
import type { RunningMariadb } from '../../scripts/private-servers/mariadb.js';
import { shortOrLong, timeLimit, times } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { TEMPLATE } from '../support/servers/database.js';
import { until } from '../support/until.js';

/** A private durable server, so that it can be killed. */
const dir = mkdtempSync(join(tmpdir(), 'muster-migration-'));
const launch = privateServerLauncher({ dir, durable: true, redoLogMb: 32, bufferPoolMb: 64 });
let mariadb: RunningMariadb;
/** How long a small table is hidden, on a busy machine. */
const HIDDEN_MS = 120;
/** The schema of migrations that nothing interrupted: those of the run's server. */
let whole: string[];
beforeAll(async () => {
  const url = new URL(process.env.TEST_DATABASE_URL as string);
  url.pathname = `/${TEMPLATE}`;
  whole = await schemaOf(url.href);
  mariadb = await launch.mariadb();
}, 180_000);
afterAll(async () => {
  await mariadb?.stop(10_000);
  rmSync(dir, { recursive: true });
}, 180_000);

function urlOf(name: string): string {
  const url = new URL(mariadb.urls.root);
  url.pathname = `/${name}`;
  return url.href;
}

async function createDatabase(name: string): Promise<void> {
  const root = connectDatabase(mariadb.urls.root);
  await root.raw('CREATE DATABASE ??', [name]);
  await root.destroy();
}

/** What a crash of MariaDB in ALTER TABLE can leave of a table with partitions: the list of their names, a hundred bytes. */
const LEFT_LIST = /^#sql-alter-\w+-\w+\.par$/;

/** Drops a database. MariaDB keeps the folder if there is a file in it that belongs to no table. */
async function dropDatabase(name: string): Promise<void> {
  const root = connectDatabase(mariadb.urls.root);
  try {
    await root.raw('DROP DATABASE ??', [name]);
  } catch (error) {
    const [[{ folder }]] = await root.raw('SELECT @@datadir AS folder');
    const left = readdirSync(join(folder, name)).filter((file) => !LEFT_LIST.test(file));
    if (left.length > 0) throw new Error(`${(error as Error).message}. Left: ${left.join(', ')}\n${printed}`);
    rmSync(join(folder, name), { recursive: true });
  } finally {
    await root.destroy();
  }
}

/** What the last migration printed. */
let printed = '';

function startMigrate(name: string): ChildProcess {
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: urlOf(name) };
  const child = spawn(process.execPath, ['dist/scripts/migrate.js'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      printed += text;
    });
  }
  return child;
}

const exitCode = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

/** Returns a line for each column, index and recorded migration. Before the first migration there is none. */
async function schemaOf(url: string): Promise<string[]> {
  const database = connectDatabase(url);
  const from = (table: string) => `FROM information_schema.${table} WHERE table_schema = DATABASE()`;
  try {
    const lists = await Promise.all(
      [
        `SELECT CONCAT_WS(' ', 'column', table_name, column_name, column_type, is_nullable, column_default) AS line ${from('columns')}`,
        `SELECT CONCAT_WS(' ', 'index', table_name, index_name, seq_in_index, column_name, non_unique) AS line ${from('statistics')}`,
        `SELECT CONCAT_WS(' ', 'partition', table_name, partition_name) AS line ${from('partitions')}`,
        `SELECT CONCAT('migration ', name) AS line FROM knex_migrations`,
      ].map(async (sql) => (await database.raw(sql))[0] as { line: string }[]),
    );
    return lists.flat().map(({ line }) => line);
  } catch (error) {
    if ((error as { code?: string }).code === 'ER_NO_SUCH_TABLE') return [];
    throw error;
  } finally {
    await database.destroy();
  }
}

interface Kill {
  victims: string;
  signal: 'SIGKILL' | 'SIGTERM';
}
const VICTIMS = ['npm run migrate', 'MariaDB', 'both'];
const KILLS: readonly Kill[] = (['SIGKILL', 'SIGTERM'] as const).flatMap((signal) =>
  VICTIMS.map((victims) => ({ victims, signal })),
);

/** Ends them at the same moment, and starts MariaDB again. */
async function strike(migrate: ChildProcess, { victims, signal }: Kill): Promise<void> {
  if (victims !== 'MariaDB') migrate.kill(signal);
  if (victims !== 'npm run migrate') {
    process.kill(mariadb.pid, signal);
    await mariadb.exited;
    mariadb = await launch.mariadb();
  }
  await exitCode(migrate);
}

/** Waits for a moment at which `events` or `alerts` is hidden, which is when a server that is killed can leave half of a table with partitions. */
async function whileHidden(migrate: ChildProcess, name: string): Promise<void> {
  const hidden = Math.random() < 0.5 ? 'events_whole' : 'alerts_whole';
  const database = connectDatabase(urlOf(name));
  while (migrate.exitCode === null && !(await database.schema.hasTable(hidden)));
  await database.destroy();
  await sleep(Math.random() * HIDDEN_MS);
}

/** Waits until a random number of migrations is recorded. */
async function untilHalfway(migrate: ChildProcess, name: string): Promise<void> {
  const wanted = Math.random() * whole.filter((line) => line.startsWith('migration ')).length;
  const database = connectDatabase(urlOf(name));
  const count = async () =>
    (
      await database('knex_migrations')
        .select('id')
        .catch(() => [])
    ).length;
  await until('it is halfway', async () => migrate.exitCode !== null || (await count()) >= wanted, 60_000);
  await database.destroy();
}

let databases = 0;

test.each(KILLS.slice(0, shortOrLong(1, KILLS.length)))(
  '$signal of $victims in the middle of the migrations: the next run completes the schema',
  async (kill) => {
    const fault = new Fault(`${kill.signal} of ${kill.victims} in the middle of migrations`, 'schema lines');
    while (fault.times < times(1)) {
      const name = `interrupted_${++databases}`;
      await createDatabase(name);
      const interrupted = startMigrate(name);
      if (fault.times % 2 === 0) await untilHalfway(interrupted, name);
      else await whileHidden(interrupted, name);
      await strike(interrupted, kill);
      const lines = (await schemaOf(urlOf(name))).length;
      // If it was complete, or had not begun, the kill does not count.
      if (lines > 0 && lines < whole.length) {
        const code = await fault.recovery(() => exitCode(startMigrate(name)));
        const balance = fault.add(balanceOf(whole, await schemaOf(urlOf(name))));
        if (code !== 0) throw new Error(`The next run failed:\n${printed}`);
        expect([balance.lost, balance.doubled]).toEqual([0, 0]);
      }
      await dropDatabase(name);
    }
    fault.report();
  },
  timeLimit(120_000),
);
