import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { Redis } from 'ioredis';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook, sendEvent } from '../support/api/webhooks.js';
import { type Clock, createClock, serversWithClocks, whyNoServerClocks } from '../support/faults/clock.js';
import { timeLimit, times, whyNotShort } from '../support/faults/effort.js';
import { balanceOf, Fault } from '../support/faults/fault.js';
import { type Fleet, type ServerName, startFleet } from '../support/servers/fleet.js';
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
}, 60_000);

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
