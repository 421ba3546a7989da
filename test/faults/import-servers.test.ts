import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import { readRange } from '../../db/identities/lock-identities.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { privateServerLauncher } from '../../scripts/private-servers/index.js';
import type { RunningMariadb } from '../../scripts/private-servers/mariadb.js';
import type { RunningRedis } from '../../scripts/private-servers/redis.js';
import { fingerprintOf, type LargeUpload, largeUpload } from '../support/api/large-upload.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { theRow } from '../support/the-row.js';
import { staysTrue, until } from '../support/until.js';

jest.setTimeout(90_000);

const ROWS = 40_000;
const CHUNK_ROWS = 400;

/** Private durable servers, so that they can be configured. */
const dir = mkdtempSync(join(tmpdir(), 'muster-faults-'));
const launch = privateServerLauncher({ dir, durable: true, redoLogMb: 32, bufferPoolMb: 64 });
let mariadb: RunningMariadb;
let redis: RunningRedis;
let processes: Processes;
let database: Database;

beforeAll(async () => {
  [mariadb, redis] = await Promise.all([launch.mariadb(), launch.redis()]);
  processes = await startProcesses({
    servers: { databaseUrl: mariadb.urls.root, redisUrl: redis.url },
    env: { IMPORT_CHUNK_ROWS: String(CHUNK_ROWS), LOG_LEVEL: 'error' },
    workers: 2,
  });
  database = processes.database;
});
afterAll(async () => {
  await processes.stop();
  await Promise.all([mariadb.stop(10_000), redis.stop(10_000)]);
  rmSync(dir, { recursive: true });
});
beforeEach(() => database('identities').delete());

const jobOf = async (id: string): Promise<Job> => (await findJob(database, id)) as Job;
async function accept(csv: string): Promise<string> {
  const response = await processes.client.upload(csv, '', { prefer: 'respond-async' });
  expect(response.status).toBe(202);
  return response.body.jobId;
}

async function untilEnded(id: string): Promise<Job> {
  await until('the job has ended', async () => (await jobOf(id)).finishedAt !== null, 60_000);
  return jobOf(id);
}

async function expectWhole(id: string, upload: LargeUpload): Promise<void> {
  const job = await untilEnded(id);
  expect({ state: job.state, error: job.error }).toEqual({ state: 'completed', error: null });
  expect(job.counts).toEqual(upload.counts);
  expect(await fingerprintOf(database)).toEqual(upload.fingerprint);
}

const status = async (name: string): Promise<number> =>
  Number((await database.raw('SHOW GLOBAL STATUS LIKE ?', [name]))[0][0].Value);

/** One second. It applies to new sessions only, so existing sessions are closed. */
async function setLockTimeout(): Promise<void> {
  await database.raw('SET GLOBAL innodb_lock_wait_timeout = 1');
  const [sessions] = await database.raw(
    'SELECT id FROM information_schema.processlist WHERE db = DATABASE() AND id <> CONNECTION_ID()',
  );
  for (const { id } of sessions) await database.raw('KILL ?', [id]).catch(() => {});
  // The API and the workers notice soon that their sessions are closed. Until then a request returns 503.
  await sleep(1_000);
  await until('the API is ready', async () => (await processes.client.get('/readyz')).status === 200);
}

test('an import waits for a key that is locked for longer than the lock timeout', async () => {
  await setLockTimeout();
  const upload = largeUpload(ROWS / 4);
  await processes.client.upload(upload.seed);
  const middle = await theRow(
    database('identities').orderBy(['integration_id', 'identity']).offset(500).first(),
  );
  const holder = await database.transaction();
  await holder('identities')
    .where({ integration_id: middle.integration_id, identity: middle.identity })
    .forUpdate();
  const before = await status('Innodb_row_lock_waits');
  const id = await accept(upload.csv);
  const isRunning = async () => (await jobOf(id)).state === 'running';
  await until('the import has started', isRunning);
  await staysTrue('the import waits', 4_000, isRunning);
  await holder.commit();
  await expectWhole(id, upload);
  expect((await jobOf(id)).attempts).toBe(1);
  expect((await status('Innodb_row_lock_waits')) - before).toBeGreaterThanOrEqual(2);
});

test('overlapping uploads on several workers at the same time report no conflict', async () => {
  await setLockTimeout();
  const keys = Array.from({ length: 6_000 }, (_, at) => `${1 + (at % 2)},account-${(at * 48_271) % 9_973}`);
  const csvOf = (name: number) =>
    `email,integrationId,identity\n${shuffled(keys, name)
      .slice(0, 5_000)
      .map((key) => `${name}@example.com,${key}`)
      .join('\n')}\n`;
  const names = [1, 2, 3, 4, 5, 6, 7, 8];
  const ids: string[] = [];
  for (const name of names) ids.push(await accept(csvOf(name)));
  const jobs = await Promise.all(ids.map(untilEnded));
  expect(jobs.map(({ state, error, attempts }) => [state, error, attempts])).toEqual(
    names.map(() => ['completed', null, 1]),
  );
  for (const { counts } of jobs) {
    const { total, ...parts } = counts as Record<string, number>;
    expect([total, Object.values(parts).reduce((sum, part) => sum + part)]).toEqual([5_000, 5_000]);
  }
  const owners = new Map<string, string>();
  for (const name of names)
    for (const key of shuffled(keys, name).slice(0, 5_000)) owners.set(key, `${name}@example.com`);
  const found = await database('identities');
  const fault = new Fault('eight overlapping imports on two workers', 'rows');
  fault.provoked();
  const balance = fault.add(
    balanceOf(
      [...owners].map(([key, owner]) => `${key} ${owner}`),
      found.map((row) => `${row.integration_id},${row.identity} ${row.email}`),
    ),
  );
  fault.report();
  expect([balance.lost, balance.doubled]).toEqual([0, 0]);
});

test('the number of prepared statements stays small, however many uploads a worker has written', async () => {
  const url = new URL(mariadb.urls.root);
  url.pathname = (await database.raw('SELECT DATABASE() AS name'))[0][0].name;
  const one = connectDatabase(url.href, { poolMax: 1 });
  try {
    const before = await status('Prepared_stmt_count');
    for (let acceptance = 1; acceptance <= 250; acceptance++) {
      await inTransaction(one, (transaction) =>
        readRange(transaction, [{ integrationId: 1, identity: 'a' }], acceptance, true),
      );
    }
    expect((await status('Prepared_stmt_count')) - before).toBeLessThanOrEqual(100);
  } finally {
    await one.destroy();
  }
});

/** Returns a fixed shuffle for each seed. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const rank = (at: number): number => Math.imul((at + 1) * 2_654_435_761 + seed * 40_503, 0x9e3779b1) >>> 0;
  return items
    .map((item, at) => ({ item, rank: rank(at) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
