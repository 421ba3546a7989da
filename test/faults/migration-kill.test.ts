import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase } from '../../db/client/connect.js';
import { privateServerLauncher } from '../../scripts/private-servers/index.js';
import type { RunningMariadb } from '../../scripts/private-servers/mariadb.js';
import { shortOrLong, timeLimit, times } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { end } from '../support/servers/processes.js';

/** A private durable server, so that it can be killed. */
const dir = mkdtempSync(join(tmpdir(), 'muster-migration-'));
const launch = privateServerLauncher({ dir, durable: true, redoLogMb: 32, bufferPoolMb: 64 });
let mariadb: RunningMariadb;
/** The schema of migrations that nothing interrupted, and how long they take. */
let whole: string[];
let wholeMs: number;
beforeAll(async () => {
  mariadb = await launch.mariadb();
  await createDatabase('whole');
  const startedAt = performance.now();
  expect(await exitCode(startMigrate('whole'))).toBe(0);
  wholeMs = performance.now() - startedAt;
  whole = await schemaOf('whole');
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

function startMigrate(name: string): ChildProcess {
  const env = { ...process.env, NODE_OPTIONS: '', DATABASE_URL: urlOf(name) };
  return spawn(process.execPath, ['dist/scripts/migrate.js'], { env, stdio: 'ignore' });
}

const exitCode = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
};

/** Returns a line for each column, index and recorded migration. */
async function schemaOf(name: string): Promise<string[]> {
  const database = connectDatabase(urlOf(name));
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
  } finally {
    await database.destroy();
  }
}

const VICTIMS = ['npm run migrate', 'MariaDB'] as const;

test.each(VICTIMS.slice(0, shortOrLong(1, 2)))(
  'kill -9 of %s in the middle of the migrations: the next run completes the schema',
  async (victim) => {
    const fault = new Fault(`SIGKILL of ${victim} in the middle of migrations`, 'schema lines');
    for (let run = 0; fault.times < times(1); run++) {
      const name = `${victim.slice(-3)}_${run}`.toLowerCase();
      await createDatabase(name);
      const interrupted = startMigrate(name);
      await sleep(wholeMs * (0.3 + Math.random() * 0.7));
      if (interrupted.exitCode !== null) continue;
      if (victim === 'MariaDB') {
        process.kill(mariadb.pid, 'SIGKILL');
        await mariadb.exited;
        mariadb = await launch.mariadb();
        await exitCode(interrupted);
      } else await end(interrupted, 'SIGKILL');
      // It had not begun, or was complete: the kill does not count.
      const lines = (await schemaOf(name).catch(() => [])).length;
      if (lines === 0 || lines === whole.length) continue;
      const code = await fault.recovery(() => exitCode(startMigrate(name)));
      const balance = fault.add(balanceOf(whole, await schemaOf(name)));
      expect([code, balance.lost, balance.doubled]).toEqual([0, 0, 0]);
    }
    fault.report();
  },
  timeLimit(60_000),
);
