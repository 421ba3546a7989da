import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook } from '../support/api/webhooks.js';
import { LATEST_MS, whyNotShort } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { type SlowLink, startSlowLink } from '../support/faults/slow-link.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { rssMb } from '../support/servers/process-usage.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const BURST_MS = 60_000;
const CONNECTIONS = 64;
/** What the worker's link to MariaDB carries in a second: some dozens of events with their alerts. */
const LINK_BYTES = 32 * 1024;
/** The limits of promise P7. */
const MOST_MB = { api: 200, worker: 250 };
const DRAINED_WITHIN_MS = 900_000;

let fleet: Fleet;
let link: SlowLink;
let memory: ReturnType<typeof watchMemory> | null = null;
beforeAll(async () => {
  fleet = await startFleet({ workers: 0, maxMemoryMb: 12 });
  const url = new URL(fleet.servers.mariadb.urls.root);
  link = await startSlowLink({ path: url.searchParams.get('socketPath') as string });
  url.searchParams.delete('socketPath');
  url.host = `127.0.0.1:${link.port}`;
  fleet.workers.push(fleet.startWorker({ DATABASE_URL: url.href }));
}, 180_000);
afterAll(async () => {
  memory?.stop();
  await fleet?.stop();
  await link?.stop();
}, 180_000);

const countStored = async (): Promise<number> =>
  Number((await fleet.database('events').count({ events: '*' }).first())?.events);

/** Samples the memory of the API and the worker twice a second, until `stop`. */
function watchMemory() {
  const most = { api: 0, worker: 0 };
  const timer = setInterval(() => {
    most.api = Math.max(most.api, rssMb(fleet.apis[0]?.child.pid));
    most.worker = Math.max(most.worker, rssMb(fleet.workers[0]?.pid));
  }, 500);
  return { most, stop: () => clearInterval(timer) };
}

testUnless(whyNotShort)(
  'ten times more events than the worker can store, for a minute: each gets 202 or 503 in time, memory stays flat, and nothing is lost',
  async () => {
    const [api] = fleet.apis as [Fleet['apis'][0]];
    const [flooded, other] = [await makeWebhook(api.client), await makeWebhook(api.client)];
    const ledger = new LedgerClient();
    expect((await ledger.sendOne(api.url + other.path)).status).toBe(202);
    await until('the worker stores events', async () => (await countStored()) > 0, 60_000);
    const fault = new Fault('a burst of ten times what the worker can store, for 60 s', 'events');
    memory = watchMemory();
    link.limit(LINK_BYTES);
    fault.provoked();
    const [sentBefore, storedBefore] = [ledger.outcomes.length, await countStored()];
    const endsAt = performance.now() + BURST_MS;
    ledger.start(() => api.url + flooded.path, CONNECTIONS);
    let longestRead = 0;
    while (performance.now() < endsAt) {
      const startedAt = performance.now();
      const { status } = await api.client.get('/v2/webhooks');
      longestRead = Math.max(longestRead, performance.now() - startedAt);
      expect([status, (await ledger.sendOne(api.url + other.path)).status]).toEqual([200, 202]);
      await sleep(500);
    }
    const [sent, stored] = [ledger.outcomes.length - sentBefore, (await countStored()) - storedBefore];
    await ledger.stop();
    link.restore();
    await ledger.settle(fleet.database, { fault, timeoutMs: DRAINED_WITHIN_MS });
    memory.stop();
    const rejected = ledger.outcomes.filter(({ status }) => status !== 202);
    console.log({ sent, stored, rejected: rejected.length, longestRead, ...memory.most });
    expect(stored).toBeGreaterThan(0);
    expect(sent / stored).toBeGreaterThan(10);
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.filter(({ status, retryAfter }) => status !== 503 || !(Number(retryAfter) > 0))).toEqual(
      [],
    );
    expect(Math.max(ledger.longestMs, longestRead)).toBeLessThan(LATEST_MS);
    expect(memory.most.api).toBeLessThan(MOST_MB.api);
    expect(memory.most.worker).toBeLessThan(MOST_MB.worker);
    expect((await ledger.sendOne(api.url + flooded.path)).status).toBe(202);
  },
  DRAINED_WITHIN_MS + 300_000,
);
