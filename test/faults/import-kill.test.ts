import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, jest, test } from '@jest/globals';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { FEED, Follower, linesOf, storedOwners } from '../support/api/follower.js';
import { fingerprintOf, type LargeUpload, largeUpload } from '../support/api/large-upload.js';
import { loseLock } from '../support/faults/broken-off.js';
import { shortOrLong, timeLimit, times, whyNotShort } from '../support/faults/effort.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { onMysql } from '../support/servers/on-mysql.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { theRow } from '../support/the-row.js';
import { staysTrue, until } from '../support/until.js';

jest.setTimeout(timeLimit(180_000));

const ROWS = shortOrLong(10_000, 80_000);
const CHUNK_ROWS = 200;
const upload: LargeUpload = largeUpload(ROWS);

const prefix = `{kill-${randomUUID().slice(0, 8)}}`;

let processes: Processes;
let worker: ChildProcess;
beforeAll(async () => {
  const env = { REDIS_PREFIX: prefix, IMPORT_CHUNK_ROWS: String(CHUNK_ROWS), LOG_LEVEL: 'error' };
  processes = await startProcesses({ env });
  worker = processes.workers[0] as ChildProcess;
});
afterAll(() => processes.stop());

beforeEach(async () => {
  await processes.database('identities').delete();
  const seeded = await processes.client.upload(upload.seed);
  expect(seeded.body.counts.created).toBe(seeded.body.counts.total);
});
/** A failed test may have left the worker stopped or dead. A new one takes a second to start. */
afterEach(async () => {
  worker.kill('SIGCONT');
  if (worker.exitCode === null && worker.signalCode === null) return;
  worker = processes.start('workers');
});

const jobOf = async (id: string): Promise<Job> => (await findJob(processes.database, id)) as Job;
const hasEnded = async (id: string): Promise<boolean> => (await jobOf(id)).finishedAt !== null;
const startsOf = async (id: string): Promise<number> => (await jobOf(id)).attempts;
const chunksOf = async (id: string): Promise<number> => {
  const row = await processes.database('job_steps').where({ job_id: id }).count({ chunks: '*' }).first();
  return Number(row?.chunks);
};

async function accept(): Promise<string> {
  const response = await processes.client.upload(upload.csv, '', { prefer: 'respond-async' });
  expect(response.status).toBe(202);
  return response.body.jobId;
}

async function untilChunks(id: string, least: number): Promise<void> {
  await until(
    `${least} chunks are written`,
    async () => (await chunksOf(id)) >= least || hasEnded(id),
    60_000,
  );
}

async function untilStarted(id: string, times: number): Promise<void> {
  await until(`start ${times}`, async () => (await startsOf(id)) >= times || hasEnded(id), 60_000);
}

/** Kills the worker as the kernel does when memory runs out, and starts another one, which takes over its job at once. */
async function killAndReplace(id: string): Promise<void> {
  await end(worker, 'SIGKILL');
  await expireLock(id);
  worker = processes.start('workers');
}

async function expireLock(id: string): Promise<void> {
  await loseLock(process.env.TEST_REDIS_URL as string, prefix, (await jobOf(id)).queue, id);
}

/** Checks the result of the whole upload, and reports it as that of a fault. */
async function expectWhole(id: string, fault?: Fault): Promise<void> {
  await until('the job has ended', () => hasEnded(id), timeLimit(60_000));
  const job = await jobOf(id);
  const found = await fingerprintOf(processes.database);
  fault?.add(balanceOfCounts(upload.fingerprint.rows, found.rows));
  fault?.report();
  expect({ state: job.state, error: job.error }).toEqual({ state: 'completed', error: null });
  expect(job.counts).toEqual(upload.counts);
  expect(job.warnings).toMatchObject([{ code: 'repeated_keys', count: upload.repeated }]);
  expect(found).toEqual(upload.fingerprint);
}

async function retry(id: string): Promise<void> {
  const response = await processes.client.send('POST', `/v2/jobs/${id}/retry`);
  expect(response.status).toBe(202);
}

test('repeated kill -9 of the worker, while it reads and while it writes, does not change the result', async () => {
  const { database, client } = processes;
  const follower = new Follower((await client.get(`${FEED}?since=now`)).body.page.nextCursor);
  for (const [account, owner] of await storedOwners(database)) follower.owners.set(account, owner);
  const id = await accept();
  const fault = new Fault('SIGKILL of the worker in one import, repeatedly', 'rows');
  let writing = 0;
  for (let kills = 0; kills < times(2); kills++) {
    const [starts, chunks] = [await startsOf(id), await chunksOf(id)];
    if (kills % 3 === 1) await untilStarted(id, starts + 1);
    else await untilChunks(id, chunks + 12);
    await sleep(Math.random() * 60);
    if (await hasEnded(id)) break;
    if ((await chunksOf(id)) > chunks) writing += 1;
    await killAndReplace(id);
    fault.provoked();
  }
  expect(writing).toBeGreaterThanOrEqual(shortOrLong(1, 10));
  await expectWhole(id, fault);
  await follower.toEnd(client);
  expect(linesOf(follower.owners)).toBe(linesOf(await storedOwners(database)));
});

testUnless(whyNotShort ?? (onMysql() ? 'MySQL does not end the transaction of a frozen worker' : null))(
  'a worker that freezes right before its commit holds up other uploads for 10 s, and the feed of changes has both, each once',
  async () => {
    const { database, client } = processes;
    const follower = new Follower((await client.get(`${FEED}?since=now`)).body.page.nextCursor);
    const upload = (identity: string) =>
      client.json('PATCH', '/v2/developers/identities', [
        { email: 'a@example.com', integrationId: 900, identity },
      ]);
    const place = await database.transaction();
    await place('identity_feed').forUpdate().first();
    const frozen = upload('frozen');
    await until('the worker waits for its place in the feed', async () => {
      const waiting = await database('information_schema.innodb_trx').where({ trx_state: 'LOCK WAIT' });
      return waiting.length > 0;
    });
    worker.kill('SIGSTOP');
    await place.rollback();
    const second = processes.start('workers');
    const startedAt = performance.now();
    const other = await upload('other');
    const waitedMs = performance.now() - startedAt;
    worker.kill('SIGCONT');
    expect([other.status, (await frozen).status]).toEqual([200, 200]);
    expect(waitedMs).toBeGreaterThan(8_000);
    expect(waitedMs).toBeLessThan(20_000);
    await follower.toEnd(client);
    expect([...follower.owners.keys()]).toEqual(['900 other', '900 frozen']);
    await end(second);
  },
);

testUnless(whyNotShort)(
  'two workers on one job, because one was stalled for longer than its lock, have one effect',
  async () => {
    const id = await accept();
    await untilChunks(id, 10);
    worker.kill('SIGSTOP');
    await expireLock(id);
    const second = processes.start('workers');
    await untilStarted(id, 2);
    await sleep(500);
    worker.kill('SIGCONT');
    await expectWhole(id);
    expect(await startsOf(id)).toBe(2);
    await end(second);
  },
);

test('a job that kills its worker at each start fails after five starts; a retry completes it, although workers shut down and hand it back, which does not count', async () => {
  const starts = shortOrLong(1, 5);
  worker.kill('SIGSTOP');
  const id = await accept();
  // In the short form, only the last of the five starts is real.
  await processes
    .database('jobs')
    .where({ id })
    .update({ starts_without_progress: 5 - starts });
  worker.kill('SIGCONT');
  for (let start = 1; start <= starts; start++) {
    await untilStarted(id, start);
    await killAndReplace(id);
  }
  await until('the job has ended', () => hasEnded(id), timeLimit(60_000));
  expect(await jobOf(id)).toMatchObject({ state: 'failed', error: { code: 'no_progress' } });
  expect(await chunksOf(id)).toBe(0);
  const before = await startsOf(id);
  await retry(id);
  for (let turn = 1; turn <= shortOrLong(1, 3); turn++) {
    await untilStarted(id, before + turn);
    await end(worker, 'SIGTERM');
    expect([worker.exitCode, (await jobOf(id)).startsWithoutProgress]).toEqual([0, 0]);
    worker = processes.start('workers');
  }
  await expectWhole(id);
});

test('a canceled import keeps the chunks that are written, whole, and starts no other', async () => {
  const id = await accept();
  await untilChunks(id, 10);
  // The worker checks once a second and might finish before. Stopped for longer, it checks as soon as it continues.
  worker.kill('SIGSTOP');
  const response = await processes.client.send('POST', `/v2/jobs/${id}/cancel`);
  expect(response.status).toBe(202);
  await sleep(1_500);
  worker.kill('SIGCONT');
  await until('the job has ended', () => hasEnded(id), timeLimit(60_000));
  expect(await jobOf(id)).toMatchObject({ state: 'canceled', error: null });
  const { acceptance } = await jobOf(id);
  const written = async (): Promise<number> => {
    const row = await processes
      .database('identities')
      .where({ asserted_by: Number(acceptance) })
      .count({ keys: '*' })
      .first();
    return Number(row?.keys);
  };
  const keys = await written();
  expect(keys % CHUNK_ROWS).toBe(0);
  expect(keys).toBeLessThan(upload.fingerprint.rows);
  await staysTrue('no other chunk is written', 1_000, async () => (await written()) === keys);
  const again = await processes.client.send('POST', `/v2/jobs/${id}/retry`);
  expect([again.status, again.body.code]).toEqual([409, 'job_not_failed']);
});

testUnless(whyNotShort)(
  'a ledger with other rows fails the job; after the ledger is repaired, a retry resumes the job',
  async () => {
    const id = await accept();
    await untilChunks(id, 20);
    await end(worker, 'SIGKILL');
    const ledger = () => processes.database('job_steps').where({ job_id: id });
    const first = await theRow(ledger().orderBy('step').limit(1));
    await ledger()
      .where({ step: first.step })
      .update({ checksum: Buffer.alloc(8) });
    await expireLock(id);
    worker = processes.start('workers');
    await until('the job has ended', () => hasEnded(id), timeLimit(60_000));
    expect(await jobOf(id)).toMatchObject({ state: 'failed', error: { code: 'resume_mismatch' } });
    await ledger().where({ step: first.step }).update({ checksum: first.checksum });
    const before = await chunksOf(id);
    expect(before).toBeGreaterThanOrEqual(20);
    await retry(id);
    await expectWhole(id);
  },
);
