import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Redis } from 'ioredis';
import { privateServerLauncher } from '../../scripts/private-servers/index.js';
import type { RunningRedis } from '../../scripts/private-servers/redis.js';
import { largeUpload } from '../support/api/large-upload.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { LATEST_MS, shortOrLong, timeLimit } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { mountSmallDisk, whyNoDisk } from '../support/faults/small-disk.js';
import { type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

/** How long Redis stays full. A long run is longer than the lock of a job, which is 30 s. */
const FULL_MS = shortOrLong(500, 40_000);
const PATH = '/v2/developers/identities';

const disk = mountSmallDisk(64 * 1024);
const folder = disk?.folder ?? mkdtempSync(join(tmpdir(), 'muster-redis-full-'));
let server: RunningRedis;
let redis: Redis;
let muster: Processes;
let path: string;
let ledger: LedgerClient;
let key: string;

beforeAll(async () => {
  server = await privateServerLauncher({ dir: folder, durable: true }).redis();
  redis = new Redis(server.url.slice('unix://'.length));
  // With `always`, Redis exits when its disk is full. With this, which is its default, it stays and rejects writes.
  await redis.config('SET', 'appendfsync', 'everysec');
  muster = await startProcesses({
    servers: { databaseUrl: process.env.TEST_DATABASE_URL as string, redisUrl: server.url },
    env: { IMPORT_CHUNK_ROWS: '200', LOG_LEVEL: 'error' },
  });
  ({ path } = await makeWebhook(muster.client));
}, 120_000);
beforeEach(async () => {
  for (const table of ['alerts', 'events', 'identities']) await muster.database(table).delete();
  ledger = new LedgerClient();
  key = randomUUID();
});
afterEach(() => ledger.stop());
afterAll(async () => {
  await muster?.stop();
  redis?.disconnect();
  await server?.stop(5_000);
  if (disk) disk.unmount();
  else rmSync(folder, { recursive: true });
}, 120_000);

const storedUploads = () =>
  readdirSync(join(muster.folder, 'files', 'uploads')).map((name) => `uploads/${name}`);
/** The jobs of accepted requests. */
const accepted = new Set<string>();

/** Sends a request that needs a queue. It must be accepted, or get 503, in time. Returns whether it was accepted. */
async function isAccepted(send: () => ReturnType<Processes['client']['json']>): Promise<boolean> {
  const startedAt = performance.now();
  const { status, body, headers } = await send();
  expect(performance.now() - startedAt).toBeLessThan(LATEST_MS);
  if (status < 300) return accepted.add(body.jobId).size > 0;
  expect([status, body.code]).toEqual([503, 'unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  return false;
}

const RECORD = { email: 'ann@example.com', integrationId: 1, identity: 'ann' };
const csv = 'email,integrationId,identity\nann@example.com,1,ann\n';

/** Without waiting for the job: one that a full Redis accepted would be executed later. */
const later = { prefer: 'respond-async' };
const REQUESTS = [
  () => muster.client.upload(csv, '', later),
  () => muster.client.upload(csv, '', { ...later, 'idempotency-key': key }),
  () => muster.client.json('PATCH', PATH, [RECORD], later),
  () => muster.client.json('POST', `${PATH}/exports`, {}, later),
];

/**
 * Runs a burst and an import while Redis cannot store anything, and checks what is left of it.
 * @returns how many requests were accepted meanwhile
 */
async function whileFull(
  fault: Fault,
  fill: () => Promise<unknown>,
  free: () => Promise<unknown>,
): Promise<number> {
  const upload = largeUpload(shortOrLong(6_000, 15_000));
  accepted.add((await muster.client.upload(upload.seed)).body.jobId);
  const { body } = await muster.client.upload(upload.csv, '', later);
  accepted.add(body.jobId);
  const rejected = () => ledger.outcomes.filter(({ status }) => status === 503).length;
  ledger.start(() => muster.url + path, 8);
  await until('events are acknowledged', () => ledger.acknowledged > 100);
  await fill();
  await until('events are rejected', () => rejected() > 20);
  const results: boolean[] = [];
  for (const send of REQUESTS) results.push(await isAccepted(send));
  expect((await muster.client.get(PATH)).status).toBe(200);
  await sleep(FULL_MS);
  await free();
  const acknowledged = ledger.acknowledged;
  await fault.recovery(() =>
    until('events are acknowledged again', () => ledger.acknowledged > acknowledged + 50),
  );
  await ledger.stop();
  expect(ledger.outcomes.filter(({ status }) => ![202, 503].includes(status))).toEqual([]);
  expect(ledger.longestMs).toBeLessThan(LATEST_MS);
  const { data } = (await muster.client.jobEnd(body.jobId)).body;
  expect(data).toMatchObject({ state: 'completed', attempts: 1, counts: upload.counts });
  await ledger.settle(muster.database, { fault });
  // Rejected requests have left neither a job nor a file.
  for (const id of accepted) await muster.client.jobEnd(id);
  expect(new Set(await muster.database('jobs').whereNot({ state: 'canceled' }).pluck('id'))).toEqual(
    accepted,
  );
  const uploads = await muster
    .database('jobs')
    .whereIn('id', [...accepted])
    .pluck('source_key');
  expect(storedUploads().filter((key) => !uploads.includes(key))).toEqual([]);
  expect(await isAccepted(REQUESTS[1] as (typeof REQUESTS)[0])).toBe(true);
  return results.filter((result) => result).length;
}

test(
  'Redis at maxmemory: events and uploads get 503 and leave nothing, and all resumes once there is memory',
  async () => {
    const count = await whileFull(
      new Fault('Redis at maxmemory', 'events'),
      () => redis.config('SET', 'maxmemory', '1mb'),
      () => redis.config('SET', 'maxmemory', '512mb'),
    );
    expect(count).toBe(0);
  },
  timeLimit(120_000),
);

// On a full one, a small write sometimes fits.
testUnless(whyNoDisk(disk))(
  'the disk of the append-only file is full: the same',
  async () => {
    await whileFull(
      new Fault('full disk of the append-only file', 'events'),
      async () => disk?.fill(),
      async () => disk?.free(),
    );
  },
  timeLimit(120_000),
);
