import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { until } from '../support/until.js';

/** The API responds within 2 s; the rest is for a busy machine. */
const LATEST_MS = 4_500;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let fleet: Fleet;
let path: string;
/** All tests share it, so each also checks what the tests before it sent. */
const ledger = new LedgerClient();
let sentBefore = 0;

beforeAll(async () => {
  fleet = await startFleet();
  ({ path } = await makeWebhook((fleet.apis[0] as Fleet['apis'][0]).client));
}, 60_000);
beforeEach(() => {
  sentBefore = ledger.outcomes.length;
  ledger.start(here);
});
/** A failed test may have left Redis frozen. */
afterEach(async () => {
  process.kill(fleet.servers.redis.pid, 'SIGCONT');
  await ledger.stop();
});
afterAll(() => fleet?.stop(), 60_000);

const here = () => (fleet.apis[0]?.url ?? '') + path;
const outcomes = () => ledger.outcomes.slice(sentBefore);

/** Waits until the given number of further events is acknowledged. */
const acknowledgeMore = (count: number) => {
  const wanted = ledger.acknowledged + count;
  return until(`${count} more are acknowledged`, () => ledger.acknowledged >= wanted, 30_000);
};

test('kill -9 of the API during a burst: acknowledged events are stored once', async () => {
  await acknowledgeMore(200);
  for (let kill = 0; kill < 2; kill++) {
    const [api] = fleet.apis as [Fleet['apis'][0]];
    await end(api.child, 'SIGKILL');
    fleet.apis[0] = await fleet.startApi(api.port);
    await acknowledgeMore(200);
  }
  await ledger.stop();
  await ledger.settle(fleet.database);
}, 90_000);

test('SIGTERM of the API during a burst: it shuts down in time, and acknowledged events are stored', async () => {
  await acknowledgeMore(200);
  const [api] = fleet.apis as [Fleet['apis'][0]];
  const startedAt = Date.now();
  await end(api.child, 'SIGTERM');
  expect([api.child.exitCode, Date.now() - startedAt < 10_000]).toEqual([0, true]);
  await ledger.stop();
  await ledger.settle(fleet.database);
  fleet.apis[0] = await fleet.startApi(api.port);
}, 90_000);

test('repeated kill -9 of the worker during a burst: each event is stored once', async () => {
  for (let kill = 0; kill < 3; kill++) {
    await acknowledgeMore(200);
    await end(fleet.workers[0] as (typeof fleet.workers)[0], 'SIGKILL');
    fleet.workers[0] = fleet.startWorker();
  }
  await acknowledgeMore(200);
  await ledger.stop();
  await ledger.settle(fleet.database);
}, 90_000);

test('kill -9 of Redis during a burst: acknowledged events are stored once, and the intake resumes by itself', async () => {
  for (let kill = 0; kill < 2; kill++) {
    await acknowledgeMore(200);
    await fleet.restart('redis', 700);
  }
  await acknowledgeMore(200);
  await ledger.stop();
  expect(Math.max(...outcomes().map(({ ms }) => ms))).toBeLessThan(LATEST_MS);
  await ledger.settle(fleet.database);
}, 90_000);

test('MariaDB killed and unavailable for more than 12 s during a burst: the intake continues, and everything is stored afterwards', async () => {
  await acknowledgeMore(200);
  let bringBack = () => {};
  const outage = new Promise<void>((resolve) => {
    bringBack = resolve;
  });
  const restarted = fleet.restart('mariadb', outage);
  await pause(2_000);
  const before = ledger.outcomes.length;
  await acknowledgeMore(500);
  // The same number again at the end of the outage. Sending all the time would be tens of thousands of events and
  // prove no more.
  await ledger.stop();
  // Longer than the lock of a job and every other time limit of the intake.
  await pause(10_000);
  ledger.start(here);
  await acknowledgeMore(500);
  expect(ledger.outcomes.slice(before).filter(({ status }) => status !== 202)).toEqual([]);
  bringBack();
  await restarted;
  await ledger.stop();
  await ledger.settle(fleet.database);
}, 150_000);

test('Redis frozen for 5 s: every request gets a response within about 2 s, and the intake resumes by itself', async () => {
  await acknowledgeMore(200);
  process.kill(fleet.servers.redis.pid, 'SIGSTOP');
  const frozenAt = ledger.outcomes.length;
  const rejected = () => ledger.outcomes.slice(frozenAt).filter(({ status }) => status === 503).length;
  await pause(5_000);
  await until('each connection got 503 about twice', () => rejected() > 60);
  process.kill(fleet.servers.redis.pid, 'SIGCONT');
  await acknowledgeMore(200);
  await ledger.stop();
  expect(Math.max(...outcomes().map(({ ms }) => ms))).toBeLessThan(LATEST_MS);
  await ledger.settle(fleet.database);
}, 120_000);
