import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { until } from '../support/until.js';

/** The API responds within 2 s; the rest is for a busy machine. */
const LATEST_MS = 4_500;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

let fleet: Fleet;
let ledger: LedgerClient;
let path: string;

beforeEach(async () => {
  fleet = await startFleet();
  ledger = new LedgerClient();
  ({ path } = await makeWebhook((fleet.apis[0] as Fleet['apis'][0]).client));
}, 60_000);
afterEach(() => fleet.stop(), 60_000);

const here = () => (fleet.apis[0]?.url ?? '') + path;

/** Sends until the given number of further events is acknowledged. */
const acknowledgeMore = (count: number) => {
  const wanted = ledger.acknowledged + count;
  return until(`${count} more are acknowledged`, () => ledger.acknowledged >= wanted, 30_000);
};

test('kill -9 of the API during a burst: acknowledged events are stored once', async () => {
  ledger.start(here);
  await acknowledgeMore(500);
  const [api] = fleet.apis;
  for (let kill = 0; kill < 2 && api; kill++) {
    await end(api.child, 'SIGKILL');
    fleet.apis[0] = await fleet.startApi(api.port);
    api.child = fleet.apis[0].child;
    await acknowledgeMore(300);
  }
  await ledger.stop();
  await ledger.settle(fleet.database);
}, 90_000);

test('SIGTERM of the API during a burst: it shuts down in time, and acknowledged events are stored', async () => {
  ledger.start(here);
  await acknowledgeMore(500);
  const [api] = fleet.apis;
  const startedAt = Date.now();
  if (api) await end(api.child, 'SIGTERM');
  expect([api?.child.exitCode, Date.now() - startedAt < 10_000]).toEqual([0, true]);
  await ledger.stop();
  await ledger.settle(fleet.database);
}, 90_000);

test('repeated kill -9 of the worker during a burst: each event is stored once', async () => {
  ledger.start(here);
  for (let kill = 0; kill < 3; kill++) {
    await acknowledgeMore(400);
    await end(fleet.workers[0] as (typeof fleet.workers)[0], 'SIGKILL');
    fleet.workers[0] = fleet.startWorker();
  }
  await acknowledgeMore(400);
  await ledger.stop();
  await ledger.settle(fleet.database);
}, 90_000);

test('kill -9 of Redis during a burst: acknowledged events are stored once, and the intake resumes by itself', async () => {
  ledger.start(here);
  for (let kill = 0; kill < 2; kill++) {
    await acknowledgeMore(400);
    await fleet.restart('redis', 700);
  }
  await acknowledgeMore(400);
  await ledger.stop();
  expect(Math.max(...ledger.outcomes.map(({ ms }) => ms))).toBeLessThan(LATEST_MS);
  await ledger.settle(fleet.database);
}, 90_000);

test('MariaDB killed and unavailable for 30 s during a burst: the intake continues, and everything is stored afterwards', async () => {
  ledger.start(here);
  await acknowledgeMore(400);
  const restarted = fleet.restart('mariadb', 30_000);
  await pause(2_000);
  const before = ledger.outcomes.length;
  await acknowledgeMore(1_000);
  // The same number again at the end of the outage. Sending all the time would be tens of thousands of events and
  // prove no more.
  await ledger.stop();
  await pause(23_000);
  ledger.start(here);
  await acknowledgeMore(1_000);
  expect(ledger.outcomes.slice(before).filter(({ status }) => status !== 202)).toEqual([]);
  await restarted;
  await ledger.stop();
  await ledger.settle(fleet.database);
}, 150_000);

test('Redis frozen for 10 s: every request gets a response within about 2 s, and the intake resumes by itself', async () => {
  ledger.start(here);
  await acknowledgeMore(400);
  process.kill(fleet.servers.redis.pid, 'SIGSTOP');
  const frozenAt = ledger.outcomes.length;
  await pause(10_000);
  process.kill(fleet.servers.redis.pid, 'SIGCONT');
  const frozen = ledger.outcomes.slice(frozenAt);
  expect(frozen.filter(({ status }) => status === 503).length).toBeGreaterThan(60);
  await acknowledgeMore(400);
  await ledger.stop();
  expect(Math.max(...ledger.outcomes.map(({ ms }) => ms))).toBeLessThan(LATEST_MS);
  await ledger.settle(fleet.database);
}, 120_000);
