import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { isLong, LATEST_MS, shortOrLong, timeLimit } from '../support/faults/effort.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { LINK_FAULTS, type SlowLink, startSlowLink } from '../support/faults/slow-link.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { onMysql } from '../support/servers/on-mysql.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const FAULT_MS = shortOrLong(1_200, 30_000);
/** An upload waits up to 20 s for its job, and asks each server several times. */
const LATEST_UPLOAD_MS = shortOrLong(40_000, 25_000);

/** The link connects TCP to MySQL's socket, and its clients send a password in another way over each. */
const missing = onMysql() ? 'the password of MySQL cannot be sent over the link' : null;

let fleet: Fleet;
let links: Record<'Redis' | 'MariaDB', SlowLink>;
let path: string;
const ledger = new LedgerClient();
const api = () => fleet.apis[0] as Fleet['apis'][0];
const client = () => api().client;

beforeAll(async () => {
  fleet = await startFleet({ apis: 0, workers: 0, env: { LOG_LEVEL: 'error' } });
  const { mariadb, redis } = fleet.servers;
  const databaseUrl = new URL(mariadb.urls.root);
  links = {
    Redis: await startSlowLink({ path: redis.url.slice('unix://'.length) }),
    MariaDB: await startSlowLink({ path: databaseUrl.searchParams.get('socketPath') as string }),
  };
  databaseUrl.searchParams.delete('socketPath');
  databaseUrl.host = `127.0.0.1:${links.MariaDB.port}`;
  const overLinks = { DATABASE_URL: databaseUrl.href, REDIS_URL: `redis://127.0.0.1:${links.Redis.port}` };
  const more = missing ? {} : overLinks;
  fleet.apis.push(await fleet.startApi(undefined, more));
  fleet.workers.push(fleet.startWorker(more));
  await fleet.untilReady();
  ({ path } = await makeWebhook(client()));
}, 120_000);
/** Ends the uploads, also those of a failed test. Returns the longest response time. */
let endUploads = async (): Promise<number> => 0;
afterEach(async () => {
  for (const link of Object.values(links)) link.restore();
  await ledger.stop();
  await endUploads().catch(() => {});
});
afterAll(async () => {
  await fleet?.stop();
  for (const link of Object.values(links ?? {})) await link.stop();
}, 120_000);

let uploads = 0;

/** Repeats uploads, each under a key of its own, until each is accepted. Returns the longest response time in milliseconds. */
async function uploadUntil(isOver: () => boolean): Promise<number> {
  let longest = 0;
  while (!isOver()) {
    const at = uploads++;
    for (let status = 503; status === 503 || status === 409; await sleep(50)) {
      const startedAt = performance.now();
      const csv = `email,integrationId,identity\nowner-${at}@example.com,1,a${at}\n`;
      ({ status } = await client().upload(csv, '', { 'idempotency-key': `key-${at}` }));
      longest = Math.max(longest, performance.now() - startedAt);
      expect([200, 202, 409, 503]).toContain(status);
    }
  }
  return longest;
}

/** What the short form provokes. After resets of its connections to Redis, a job waits up to 15 s for another worker. */
const SHORT = [
  ['Redis', 'carries 8 KB/s'],
  ['MariaDB', 'carries 8 KB/s'],
  ['MariaDB', 'resets all connections again and again'],
];
const CASES = (['Redis', 'MariaDB'] as const)
  .flatMap((server) => Object.keys(LINK_FAULTS).map((fault) => [server, fault] as const))
  .filter((one) => isLong || SHORT.some((other) => isDeepStrictEqual(one, other)));

testUnless(missing).each(CASES)(
  'while the link to %s %s, every response is in time, nothing is lost or done twice, and all resumes',
  async (server, name) => {
    const fault = new Fault(`link to ${server} ${name}`, 'requests');
    const { database } = fleet;
    const before = { events: ledger.outcomes.length, uploads };
    ledger.start(() => api().url + path, 4);
    let isOver = false;
    const uploading = uploadUntil(() => isOver);
    uploading.catch(() => {});
    endUploads = () => {
      isOver = true;
      return uploading;
    };
    await LINK_FAULTS[name]?.(links[server], FAULT_MS);
    links[server].restore();
    const accepted = ledger.acknowledged;
    await fault.recovery(() => until('events are acknowledged', () => ledger.acknowledged > accepted + 50));
    const longestUpload = await endUploads();
    await ledger.stop();
    const outcomes = ledger.outcomes.slice(before.events);
    expect(outcomes.filter(({ status }) => ![202, 503].includes(status))).toEqual([]);
    const longestEvent = Math.max(...outcomes.map(({ ms }) => ms));
    expect(longestEvent).toBeLessThan(LATEST_MS);
    expect(longestUpload).toBeLessThan(LATEST_UPLOAD_MS);
    if (!name.startsWith('resets')) expect(longestUpload).toBeGreaterThan(200);
    await ledger.settle(database);
    const jobs = () => database('jobs').whereNot({ state: 'canceled' }).select('state', 'attempts');
    await until('all jobs have ended', async () =>
      (await jobs()).every(({ state }) => !['queued', 'running'].includes(state)),
    );
    expect((await jobs()).filter(({ state }) => state !== 'completed')).toEqual([]);
    expect(await jobs()).toHaveLength(uploads);
    const rows: string[] = await database('identities').pluck('identity');
    const acknowledged = uploads - before.uploads;
    const stored = rows.length - before.uploads;
    const lost = Math.max(0, acknowledged - stored);
    const doubled = Math.max(0, stored - acknowledged);
    fault.add({ acknowledged, stored, lost, doubled });
    fault.waited(Math.max(longestEvent, longestUpload));
    fault.report();
    expect(rows.sort()).toEqual(Array.from({ length: uploads }, (_, at) => `a${at}`).sort());
  },
  timeLimit(120_000),
);

const IDENTITIES = '/v2/developers/identities';
const patch = (identity: string, headers: Record<string, string> = {}) =>
  client().json('PATCH', IDENTITIES, [{ email: 'a@example.com', integrationId: 1, identity }], headers);

/** Returns the response, and how long it took in milliseconds. */
async function timed<T>(request: Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  return [await request, performance.now() - startedAt];
}

/**
 * Runs `during` while a server is frozen, which is worse than a crash: connections stay open, but get no response.
 */
async function frozen(pid: number, during: () => Promise<void>): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  try {
    // The signal has not reached all threads at once: one of them may still respond.
    await until('all threads are stopped', () => statesOfThreads(pid).every((state) => state === 'T'));
    await during();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

/** Returns the state of each thread, a letter: see proc(5). */
const statesOfThreads = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2);
  });

/** P5 says 5 s; the rest is for a busy machine. */
const BACK_WITHIN_MS = shortOrLong(15_000, 5_000);

async function expectUnavailable(fault: Fault, request: ReturnType<typeof patch>): Promise<void> {
  const [response, ms] = await timed(request);
  fault.waited(ms);
  expect([response.status, response.body.code]).toEqual([503, 'unavailable']);
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(ms).toBeLessThan(LATEST_MS);
}

async function expectReadiness(servers: { redis: boolean; database: boolean }): Promise<void> {
  const [ready, ms] = await timed(client().get('/readyz'));
  expect(ready.body).toMatchObject(servers);
  expect(ms).toBeLessThan(LATEST_MS);
}

async function expectBack(fault: Fault, identity: string): Promise<void> {
  const isBack = async () => (await patch(identity)).status === 200;
  await fault.recovery(() => until('an upload is written again', isBack, BACK_WITHIN_MS));
  fault.report();
}

test('while the database is frozen, every request gets an error in time, and all work continues once it is available', async () => {
  const fault = new Fault('SIGSTOP of MariaDB during requests');
  await patch('before');
  await frozen(fleet.servers.mariadb.pid, async () => {
    await Promise.all([
      expectUnavailable(fault, patch('during')),
      expectUnavailable(fault, patch('during', { 'idempotency-key': 'during' })),
      expectUnavailable(fault, client().get(IDENTITIES)),
      expectUnavailable(fault, client().get('/v2/keys')),
      expectReadiness({ redis: true, database: false }),
      client()
        .get('/healthz')
        .then(({ status }) => expect(status).toBe(200)),
    ]);
  });
  await expectBack(fault, 'after');
});

test('while Redis is frozen, requests that need a queue get an error in time, and reads continue', async () => {
  const fault = new Fault('SIGSTOP of Redis during requests');
  await frozen(fleet.servers.redis.pid, async () => {
    await Promise.all([
      expectUnavailable(fault, patch('during')),
      // A key of its own: a job of an earlier test, whose commit the API did not see, may have been written since.
      expectUnavailable(fault, patch('during', { 'idempotency-key': 'during-redis' })),
      expectUnavailable(fault, client().get(IDENTITIES, { accept: 'text/csv' })),
      expectReadiness({ redis: false, database: true }),
      client()
        .get(IDENTITIES)
        .then(({ status }) => expect(status).toBe(200)),
    ]);
  });
  await expectBack(fault, 'after-redis');
});

test('a request that waits for its job when the database freezes gets a link to the job, which completes later', async () => {
  const fault = new Fault('SIGSTOP of MariaDB while a request waits for its job', 'jobs');
  const worker = fleet.workers[0]?.pid as number;
  process.kill(worker, 'SIGSTOP');
  const waiting = timed(patch('waiting'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  let jobId = '';
  await frozen(fleet.servers.mariadb.pid, async () => {
    const [response, ms] = await waiting;
    expect(response.status).toBe(202);
    expect(ms).toBeLessThan(500 + LATEST_MS);
    jobId = response.body.jobId;
    fault.waited(ms);
  });
  process.kill(worker, 'SIGCONT');
  const job = await fault.recovery(() => client().jobEnd(jobId, 60_000));
  fault.add(balanceOfCounts(1, job.body.data.counts.total));
  fault.report();
  expect(job.body.data).toMatchObject({ state: 'completed', counts: { total: 1 } });
}, 120_000);
