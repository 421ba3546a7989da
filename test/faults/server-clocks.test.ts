import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { Redis } from 'ioredis';
import { connectProducer, DEFAULT_PREFIX } from '../../workers/queues/connection.js';
import { Producer } from '../../workers/queues/producer.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { insertOldRows } from '../support/api/old-rows.js';
import { makeWebhook, sendEvent } from '../support/api/webhooks.js';
import { daysAgo } from '../support/days-ago.js';
import { type Clock, createClock, serversWithClocks, whyNoServerClocks } from '../support/faults/clock.js';
import { timeLimit, times, whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { type Fleet, type ServerName, startFleet } from '../support/servers/fleet.js';
import { end } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const HOUR_S = 3_600;
const PATH = '/v2/developers/identities';
const later = { prefer: 'respond-async' };
/** Enough for several chunks. */
const KEYS = Array.from({ length: 3_000 }, (_, at) => `1,account-${at}`);

let folder: string;
let clocks: Record<ServerName, Clock>;
let fleet: Fleet;
let redis: Redis;
let ledger: LedgerClient;
const api = () => fleet.apis[0] as Fleet['apis'][0];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'muster-server-clocks-'));
  clocks = { mariadb: createClock(), redis: createClock() };
  const { MUSTER_SERVER_PATH: before } = process.env;
  process.env.MUSTER_SERVER_PATH = serversWithClocks(folder, clocks);
  fleet = await startFleet({ env: { IMPORT_CHUNK_ROWS: '300' } }).finally(() => {
    process.env.MUSTER_SERVER_PATH = before;
    if (before === undefined) delete process.env.MUSTER_SERVER_PATH;
  });
  redis = new Redis(fleet.servers.redis.url.slice('unix://'.length));
}, 90_000);
afterEach(() => ledger?.stop());
afterAll(async () => {
  redis?.disconnect();
  await fleet?.stop();
  for (const clock of Object.values(clocks)) clock.remove();
  rmSync(folder, { recursive: true });
}, 120_000);

/** Returns the time of a server, in seconds since 1970. */
const timeOf = async (server: ServerName): Promise<number> =>
  server === 'redis'
    ? Number((await redis.time())[0])
    : (await fleet.database.raw('SELECT UNIX_TIMESTAMP() AS now'))[0][0].now;

async function setClock(server: ServerName, hours: number): Promise<void> {
  clocks[server].set(hours * HOUR_S);
  const offset = async () => (await timeOf(server)) - Date.now() / 1_000;
  await until('the clock is set', async () => Math.abs((await offset()) - hours * HOUR_S) < 30);
}

/** Uploads a new owner for each account. Returns the id of the job. */
async function upload(owner: string): Promise<string> {
  const rows = KEYS.map((key) => `${owner}@example.com,${key}\n`);
  const { status, body } = await api().client.upload(
    `email,integrationId,identity\n${rows.join('')}`,
    '',
    later,
  );
  expect(status).toBe(202);
  return body.jobId;
}

/** Repeats a request under its key. The second response must be that of the first. */
async function sendTwice(key: string): Promise<void> {
  const row = { email: `${key}@example.com`, integrationId: 2, identity: key };
  const send = () => api().client.json('PATCH', PATH, [row], { 'idempotency-key': key });
  const [first, second] = [await send(), await send()];
  expect([first.status, second.status, second.body.jobId]).toEqual([200, 200, first.body.jobId]);
}

/** Hours from the right time. */
const STEPS = Array.from({ length: times(2) }, (_, step) => [1, -1, 0][step % 3] as number);

testUnless(whyNotShort ?? whyNoServerClocks()).each(['redis', 'mariadb'] as const)(
  'while the clock of %s is set an hour forward and back, in a burst and in imports, nothing is lost or done twice, and orders stay',
  async (server) => {
    const fault = new Fault(`clock of ${server} set by an hour in imports`, 'rows');
    const burst = new Fault(`clock of ${server} set by an hour in a burst`, 'events');
    const { client, url } = api();
    const { id, path } = await makeWebhook(client);
    const rateLimit = { eventsPerMinute: 1, overLimitStatus: 429 };
    ledger = new LedgerClient();
    ledger.start(() => url + path, 4);
    const jobs: string[] = [];
    for (const [step, hours] of STEPS.entries()) {
      const limited = await makeWebhook(client, { rateLimit });
      expect((await sendEvent(url, limited.path, { alert: { name: 'a' } })).status).toBe(202);
      jobs.push(await upload(`${server}-${step}`));
      await setClock(server, hours);
      fault.provoked();
      burst.provoked();
      await sendTwice(`${server}-${step}`);
      const next = await sendEvent(url, limited.path, { alert: { name: 'b' } });
      // A key in Redis that has expired counts from the start.
      expect([202, 429]).toContain(next.status);
      expect(Number(next.headers.get('retry-after') ?? 0)).toBeLessThanOrEqual(60);
      const acknowledged = ledger.acknowledged;
      await until('events are acknowledged', () => ledger.acknowledged > acknowledged + 20);
    }
    await ledger.stop();
    for (const job of jobs)
      expect((await client.jobEnd(job)).body.data).toMatchObject({ state: 'completed' });
    const own = await fleet.database('identities').where({ integration_id: 1 }).select();
    const owner = `${server}-${STEPS.length - 1}@example.com`;
    const balance = fault.add(
      balanceOf(
        KEYS.map((key) => `${key} ${owner}`),
        own.map((row) => `${row.integration_id},${row.identity} ${row.email}`),
      ),
    );
    fault.report();
    expect([balance.lost, balance.doubled]).toEqual([0, 0]);
    // The ledger compares all events that are stored.
    const webhook_id = Buffer.from(id.replaceAll('-', ''), 'hex');
    for (const table of ['alerts', 'events']) await fleet.database(table).whereNot({ webhook_id }).delete();
    await ledger.settle(fleet.database, { fault: burst });
  },
  timeLimit(120_000),
);

const KEPT = 50;
/** How far the time of an event may be from when it was sent, on a machine with much other work. */
const NEAR_MS = 10_000;

testUnless(whyNotShort ?? whyNoServerClocks()).each([
  ['redis', ['redis']],
  ['mariadb', ['mariadb']],
  ['both servers', ['redis', 'mariadb']],
] as [string, ServerName[]][])(
  'while the clock of %s is 500 days wrong, upkeep removes nothing, and events get the right time',
  async (name, servers) => {
    const fault = new Fault(`clock of ${name} 500 days wrong`, 'events');
    const { client, url } = api();
    const { database } = fleet;
    const { path } = await makeWebhook(client);
    for (const table of ['alerts', 'events']) await database(table).delete();
    await insertOldRows(database, { count: KEPT, from: daysAgo(20) });
    const health = async () => (await client.get('/v2/health')).body.data;
    const producer = new Producer(connectProducer(fleet.servers.redis.url), DEFAULT_PREFIX);
    const upkeep = producer.queue('upkeep');
    for (const days of [500, -500]) {
      for (const server of servers) await setClock(server, days * 24);
      fault.provoked();
      const wrong = servers.map((server) => (server === 'mariadb' ? 'database' : server));
      await until('the API knows which clocks are wrong', async () => {
        const { clocks } = await health();
        return wrong.join() === clocks.wrong.join();
      });
      const before = Date.now();
      const response = await sendEvent(url, path, { alert: { name: 'a' } });
      expect(response.status).toBe(202);
      const { eventId } = (await response.json()) as { eventId: string };
      const event = async () => (await client.get(`/v2/events/${eventId}`)).body.data;
      await until('the event is stored', async () => (await event())?.receivedAt !== undefined, 60_000);
      expect(Math.abs(Date.parse((await event()).receivedAt) - before)).toBeLessThan(NEAR_MS);
      await upkeep.add('upkeep', { version: 1 }, { removeOnComplete: true, removeOnFail: true });
      const isDone = async () => (await upkeep.getJobCountByTypes('active', 'waiting')) === 0;
      await until('the turn of upkeep has ended', isDone, 60_000);
      expect(await database('events').where('received_at', '<', daysAgo(10))).toHaveLength(KEPT);
      for (const server of servers) await setClock(server, 0);
      await until('all clocks are right', async () => (await health()).clocks.wrong.length === 0);
    }
    await producer.close();
    fault.add({ acknowledged: 2, stored: 2, lost: 0, doubled: 0 });
    fault.report();
  },
  timeLimit(120_000),
);

testUnless(whyNotShort ?? whyNoServerClocks())(
  'an API that starts while no two clocks agree accepts no events, and says so until two do',
  async () => {
    const { client } = api();
    const { path } = await makeWebhook(client);
    await setClock('redis', 500 * 24);
    await setClock('mariadb', -500 * 24);
    const started = await fleet.startApi();
    const readiness = async () => (await started.client.get('/readyz/intake')).body;
    await until('it has compared the clocks', async () => (await readiness()).clock === false);
    expect(await readiness()).toMatchObject({ status: 'error', redis: true, code: 'not_ready' });
    const rejected = await sendEvent(started.url, path, { alert: { name: 'a' } });
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '5']);
    // The other API remembers the time at which all agreed.
    expect((await sendEvent(api().url, path, { alert: { name: 'a' } })).status).toBe(202);
    await setClock('mariadb', 0);
    await until('two clocks agree', async () => (await readiness()).status === 'success');
    expect((await sendEvent(started.url, path, { alert: { name: 'a' } })).status).toBe(202);
    await setClock('redis', 0);
    await end(started.child, 'SIGTERM');
  },
  timeLimit(120_000),
);
