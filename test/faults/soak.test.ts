import { afterAll, beforeAll, expect } from '@jest/globals';
import { Redis } from 'ioredis';
import { fromUuidBinary } from '../../db/bulk/uuid-binary.js';
import { IntakeQueue } from '../support/api/intake-queue.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { makeWebhook, type TestWebhook } from '../support/api/webhooks.js';
import { SOAK_MINUTES, whyNotShort } from '../support/faults/effort.js';
import { Fault } from '../support/faults/fault.js';
import { MAPPINGS, oracle } from '../support/series/oracle.js';
import { Draw, sentEvents } from '../support/series/sent-events.js';
import { shownAlerts } from '../support/series/shown-alerts.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { SoakLoad } from '../support/soak/load.js';
import { soakMeasures } from '../support/soak/measures.js';
import { Samples } from '../support/soak/samples.js';
import { testUnless } from '../support/test-unless.js';
import { until } from '../support/until.js';

const MS = SOAK_MINUTES * 60_000;
const SAMPLE_EVERY_MS = 4_000;
const SERIES = 90;
const DRAINED_WITHIN_MS = 120_000;

let fleet: Fleet;
let redis: Redis;
let queue: IntakeQueue;
let webhook: TestWebhook;
const client = () => (fleet.apis[0] as Fleet['apis'][0]).client;

beforeAll(async () => {
  fleet = await startFleet();
  redis = new Redis(fleet.servers.redis.url.slice('unix://'.length));
  queue = new IntakeQueue(fleet.servers.redis.url);
  webhook = await makeWebhook(client());
  const saved = await client().json('PUT', `/v2/webhooks/${webhook.id}/mapping`, MAPPINGS.byKey.mapping);
  expect(saved.status).toBe(201);
}, 180_000);
afterAll(async () => {
  redis?.disconnect();
  await queue?.close();
  await fleet?.stop();
}, 180_000);

/** Returns the items of some series, always the same for a serial number. */
function itemsOf(serial: number): object[] {
  const [event] = sentEvents(new Draw(serial), { webhookId: webhook.id, count: 1, series: SERIES });
  return JSON.parse(event?.raw ?? '').items;
}

/** Returns the stored events as the oracle reads them. */
async function storedEvents() {
  const rows = await fleet.database('events').select('id', 'received_at', 'raw');
  return rows.map(({ id, received_at, raw }) => ({
    id: fromUuidBinary(id),
    webhookId: webhook.id,
    receivedAt: received_at.getTime(),
    raw: raw.toString(),
  }));
}

testUnless(whyNotShort)(
  'bursts of events, imports, mirrors, reverts, exports, remaps and readers at once for minutes: memory, descriptors, tables and queues stay flat, and nothing is lost or done twice',
  async () => {
    const fault = new Fault(`${SOAK_MINUTES} minutes of everything at once`, 'events');
    const ledger = new LedgerClient((mark, serial) => ({ mark, items: itemsOf(serial) }));
    const load = new SoakLoad(fleet, webhook);
    const samples = new Samples(soakMeasures(fleet, redis, queue));
    fault.provoked();
    samples.start(SAMPLE_EVERY_MS);
    await load.run(ledger, MS).finally(() => samples.stop());
    console.log(
      `${load.jobs} jobs, ${load.balance.stored} lines of results, longest read ${Math.round(load.longestReadMs)} ms\n${samples.table()}`,
    );
    await ledger.settle(fleet.database, { fault, timeoutMs: DRAINED_WITHIN_MS });
    await until('no batch is open', async () => (await queue.count()) === 0, DRAINED_WITHIN_MS);
    const expected = oracle(await storedEvents(), load.mapping).alerts.map(({ timeline, ...alert }) => alert);
    expect(await shownAlerts(client(), webhook.id)).toEqual(expected);
    expect(load.balance).toMatchObject({ lost: 0, doubled: 0 });
    expect(samples.growing()).toEqual([]);
  },
  MS + 600_000,
);
