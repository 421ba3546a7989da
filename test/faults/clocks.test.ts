import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { Redis } from 'ioredis';
import { freePort } from '../../scripts/processes/free-port.js';
import { Client } from '../support/api/client.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook, sendEvent, type TestWebhook } from '../support/api/webhooks.js';
import { CLOCK_SET_WITHIN_MS, type Clock, createClock, whyNoClocks } from '../support/faults/clock.js';
import { Fault } from '../support/faults/fault.js';
import { end, type Processes, startProcesses } from '../support/servers/processes.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const HOUR_S = 3_600;
const testWithClocks = testUnless(whyNoClocks());

let clock: Clock;
let muster: Processes;
let redis: Redis;
/** An API host whose clock is always right, while that of the other API and of the worker is set. */
let right: { url: string; client: Client };
let hooks: { ledger: TestWebhook; series: TestWebhook; limited: TestWebhook };
const ledger = new LedgerClient();

beforeAll(async () => {
  clock = createClock();
  muster = await startProcesses({ env: { ...clock.env, LOG_LEVEL: 'error' } });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  muster.start('api', { PORT: String(port), LD_PRELOAD: '' });
  await until(
    'the other API is ready',
    async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200,
  );
  right = { url, client: new Client(url, muster.key) };
  redis = new Redis((process.env.TEST_REDIS_URL as string).replace('unix://', ''));
  hooks = {
    ledger: await makeWebhook(muster.client),
    series: await makeWebhook(muster.client, { template: 'alertmanager' }),
    limited: await makeWebhook(muster.client, { rateLimit: { eventsPerMinute: 1, overLimitStatus: 429 } }),
  };
  // Each API reads the list of integrations every second.
  for (const { path } of Object.values(hooks)) {
    await until(
      'it knows the integration',
      async () => (await fetch(url + path, { method: 'GET' })).status === 200,
    );
  }
}, 60_000);
afterAll(async () => {
  redis?.disconnect();
  await muster?.stop();
  clock?.remove();
}, 60_000);

const hosts = () => [muster, right];

const fault = new Fault('clock of an API and a worker set by an hour', 'events');

async function setClock(hours: number): Promise<void> {
  clock.set(hours * HOUR_S);
  fault.provoked();
  await sleep(CLOCK_SET_WITHIN_MS);
  await until('the API has the time', async () => {
    const { headers } = await fetch(`${muster.url}/healthz`);
    const ahead = Date.parse(headers.get('date') as string) - Date.now();
    return Math.abs(ahead - hours * HOUR_S * 1_000) < 60_000;
  });
}

let sent = 0;

/** Sends events and uploads through both hosts. The upload of the host given last is accepted last. */
async function use(phase: string): Promise<void> {
  for (const { url, client } of hosts()) {
    for (let event = 0; event < 20; event++) {
      expect((await ledger.sendOne(url + hooks.ledger.path)).status).toBe(202);
    }
    const alert = {
      status: 'firing',
      fingerprint: 'c0ffee',
      labels: { alertname: `${phase}`, severity: 'critical' },
    };
    expect((await sendEvent(url, hooks.series.path, { alerts: [alert] })).status).toBe(202);
    sent += 1;
    const owner = client === right.client ? 'right' : 'wrong';
    const row = { email: `${owner}-${phase}@example.com`, integrationId: 1, identity: 'account' };
    const response = await client.json('PATCH', '/v2/developers/identities', [row], {
      'idempotency-key': `${owner}-${phase}`,
    });
    expect([response.status, response.body.counts?.rejected ?? 0]).toEqual([200, 0]);
    const again = await client.json('PATCH', '/v2/developers/identities', [row], {
      'idempotency-key': `${owner}-${phase}`,
    });
    expect([again.status, again.body.jobId]).toEqual([200, response.body.jobId]);
    const [stored] = (await client.get('/v2/developers/identities')).body.data;
    expect(stored.email).toBe(row.email);
  }
}

const nextUpkeep = async () => {
  const [key] = await redis.keys(
    `{${(await muster.database.raw('SELECT DATABASE() AS name'))[0][0].name.replaceAll('_', '-')}}:upkeep:repeat`,
  );
  return Number(await redis.zscore(key as string, 'upkeep'));
};

testWithClocks(
  'a clock that is an hour ahead and then an hour behind loses nothing, and changes neither orders nor time limits',
  async () => {
    await use('before');
    await setClock(1);
    await use('ahead');
    const limited = () => sendEvent(muster.url, hooks.limited.path, { alert: { name: 'a' } });
    await limited();
    const over = await limited();
    expect([over.status, Number(over.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    await until(
      'upkeep is scheduled by the wrong clock',
      async () => (await nextUpkeep()) > Date.now() + 1_800_000,
    );
    await setClock(0);
    const later = await limited();
    expect([later.status, Number(later.headers.get('retry-after')) <= 60]).toEqual([429, true]);
    await use('right-again');
    const [worker] = muster.workers;
    if (worker) await end(worker);
    muster.start('workers');
    await until(
      'upkeep is scheduled by the right clock',
      async () => (await nextUpkeep()) <= Date.now() + 60_000,
    );
    await setClock(-1);
    await use('behind');
    await setClock(0);
    await use('at-the-end');

    const series = async () => (await right.client.get(`/v2/alerts?webhookId=${hooks.series.id}`)).body.data;
    await until('all events of the series are stored', async () => (await series())[0]?.eventCount === sent);
    const [alert, ...others] = await series();
    expect(others).toEqual([]);
    const { body } = await right.client.get(`/v2/alerts/${alert.id}/events?pageSize=1000`);
    const times = body.data.map(({ receivedAt }: { receivedAt: string }) => Date.parse(receivedAt));
    expect([Date.parse(alert.startedAt), Date.parse(alert.lastEventAt)]).toEqual([
      Math.min(...times),
      Math.max(...times),
    ]);
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThan(2 * HOUR_S * 1_000 - 60_000);
    await muster.database('alerts').whereNotNull('dedup_key').delete();
    await muster
      .database('events')
      .where({ webhook_id: Buffer.from(hooks.series.id.replaceAll('-', ''), 'hex') })
      .delete();
    await muster
      .database('events')
      .where({ webhook_id: Buffer.from(hooks.limited.id.replaceAll('-', ''), 'hex') })
      .delete();
    await muster
      .database('alerts')
      .where({ webhook_id: Buffer.from(hooks.limited.id.replaceAll('-', ''), 'hex') })
      .delete();
    await ledger.settle(muster.database, { fault });
  },
  120_000,
);
