import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type PrivateServers, startPrivateServers } from '../../scripts/private-servers/index.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { until } from '../support/until.js';

let folder: string;
let servers: PrivateServers;
let muster: Processes;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-unavailable-'));
  servers = await startPrivateServers({ dir: folder, durable: true, throwAway: true, redoLogMb: 16 });
  const { databaseUrls, redisUrl } = servers;
  muster = await startProcesses({ servers: { databaseUrl: databaseUrls.root, redisUrl } });
}, 60_000);
afterAll(async () => {
  await muster?.stop();
  await servers?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const path = '/v2/developers/identities';
const patch = (identity: string, headers: Record<string, string> = {}) =>
  muster.client.json('PATCH', path, [{ email: 'a@example.com', integrationId: 1, identity }], headers);

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
    await during();
  } finally {
    process.kill(pid, 'SIGCONT');
  }
}

const IN_TIME_MS = 5_000;

async function expectUnavailable(fault: Fault, request: () => ReturnType<typeof patch>): Promise<void> {
  const [response, ms] = await timed(request());
  fault.waited(ms);
  expect([response.status, response.body.code]).toEqual([503, 'unavailable']);
  expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(ms).toBeLessThan(IN_TIME_MS);
}

async function expectBack(fault: Fault, identity: string): Promise<void> {
  const isBack = async () => (await patch(identity)).status === 200;
  await fault.recovery(() => until('an upload is written again', isBack, 5_000));
  fault.report();
}

test('while the database is frozen, every request gets an error in time, and all work continues once it is available', async () => {
  const fault = new Fault('SIGSTOP of MariaDB during requests');
  await patch('before');
  await frozen(servers.processes.mariadb.pid, async () => {
    await expectUnavailable(fault, () => patch('during'));
    await expectUnavailable(fault, () => patch('during', { 'idempotency-key': 'during' }));
    await expectUnavailable(fault, () => muster.client.get(path));
    await expectUnavailable(fault, () => muster.client.get('/v2/keys'));
    expect((await muster.client.get('/healthz')).status).toBe(200);
    const [ready, ms] = await timed(muster.client.get('/readyz'));
    expect(ready.body).toMatchObject({ redis: true, database: false });
    expect(ms).toBeLessThan(IN_TIME_MS);
  });
  await expectBack(fault, 'after');
});

test('while Redis is frozen, requests that need a queue get an error in time, and reads continue', async () => {
  const fault = new Fault('SIGSTOP of Redis during requests');
  await frozen(servers.processes.redis.pid, async () => {
    await expectUnavailable(fault, () => patch('during'));
    await expectUnavailable(fault, () => patch('during', { 'idempotency-key': 'during' }));
    await expectUnavailable(fault, () => muster.client.get(path, { accept: 'text/csv' }));
    expect((await muster.client.get(path)).status).toBe(200);
    const [ready, ms] = await timed(muster.client.get('/readyz'));
    expect(ready.body).toMatchObject({ redis: false, database: true });
    expect(ms).toBeLessThan(IN_TIME_MS);
  });
  await expectBack(fault, 'after-redis');
});

test('a request that waits for its job when the database freezes gets a link to the job, which completes later', async () => {
  const fault = new Fault('SIGSTOP of MariaDB while a request waits for its job', 'jobs');
  const worker = muster.workers[0]?.pid as number;
  process.kill(worker, 'SIGSTOP');
  const waiting = timed(patch('waiting'));
  await new Promise((resolve) => setTimeout(resolve, 500));
  let jobId = '';
  await frozen(servers.processes.mariadb.pid, async () => {
    const [response, ms] = await waiting;
    expect(response.status).toBe(202);
    expect(ms).toBeLessThan(500 + IN_TIME_MS);
    jobId = response.body.jobId;
    fault.waited(ms);
  });
  process.kill(worker, 'SIGCONT');
  const job = await fault.recovery(() => muster.client.jobEnd(jobId, 30_000));
  fault.add(balanceOfCounts(1, job.body.data.counts.total));
  fault.report();
  expect(job.body.data).toMatchObject({ state: 'completed', counts: { total: 1 } });
}, 60_000);
