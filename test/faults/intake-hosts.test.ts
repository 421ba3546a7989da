import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toUuidBinary } from '../../db/bulk/uuid-binary.js';
import { alertIntake } from '../../workers/queues/contracts/alert-intake.js';
import { IntakeQueue, intakeEvent } from '../support/api/intake-queue.js';
import { LedgerClient } from '../support/api/ledger-client.js';
import { ALERT, makeWebhook, receiptOf, sendEvent, type TestWebhook } from '../support/api/webhooks.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { rssMb } from '../support/servers/process-usage.js';
import { until } from '../support/until.js';

/** Events of a flood that wait. */
const FLOOD = 6_000;
const EVENTS = 10;

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ apis: 2, workers: 0, maxMemoryMb: 12 });
}, 120_000);
afterAll(() => fleet.stop());

const urls = () => fleet.apis.map(({ url }) => url) as [string, string];
const client = () => (fleet.apis[0] as Fleet['apis'][0]).client;

test('an integration that fills its share of Redis gets 503, others do not, and acknowledged events are stored', async () => {
  const [api] = fleet.apis as [Fleet['apis'][0]];
  const { path } = await makeWebhook(api.client);
  const large = 'x'.repeat(16_000);
  const ledger = new LedgerClient((mark, serial) => ({
    alert: { name: `alert ${serial}`, severity: 'info', message: mark + large },
  }));
  ledger.start(() => api.url + path, 64);
  const rejected = () => ledger.outcomes.filter(({ status }) => status === 503).length;
  await until('its share of Redis is full', () => rejected() > 200, 60_000);
  await ledger.stop();
  const fault = new Fault('one integration fills its share of Redis', 'events');
  fault.provoked();
  expect(ledger.outcomes.filter(({ status }) => status !== 202 && status !== 503)).toEqual([]);
  expect(rssMb(api.child.pid)).toBeLessThan(200);
  const other = await makeWebhook(api.client);
  expect((await ledger.sendOne(api.url + other.path)).status).toBe(202);
  fleet.workers.push(fleet.startWorker());
  await ledger.settle(fleet.database, { fault });
  expect((await ledger.sendOne(api.url + path)).status).toBe(202);
}, 120_000);

test('the same delivery, sent 100 times to two hosts, is one event with one response', async () => {
  const fault = new Fault('one delivery sent 100 times, to two hosts', 'events');
  fault.provoked();
  const { id, path } = await makeWebhook(client());
  const responses = await Promise.all(
    Array.from({ length: 100 }, async (_, i) => {
      const sent = sendEvent(urls()[i % 2] as string, path, ALERT, { 'webhook-id': 'one' });
      const response = await fault.response(sent);
      return `${response.status} ${response.headers.get('location')} ${await response.text()}`;
    }),
  );
  expect(new Set(responses).size).toBe(1);
  const eventId = JSON.parse(responses[0]?.replace(/^[^{]*/, '') ?? '').eventId;
  const receipt = await receiptOf(client(), eventId);
  expect(receipt.alertIds).toHaveLength(1);
  await until('the queues are empty', async () => {
    const { queues } = (await client().get('/v2/health')).body.data;
    return queues.every(({ waiting, active }: { waiting: number; active: number }) => waiting + active === 0);
  });
  const stored = (await client().get(`/v2/events?webhookId=${id}`)).body.data;
  fault.add(balanceOfCounts(1, stored.length));
  fault.report();
  expect(stored).toHaveLength(1);
  expect((await client().get(`/v2/alerts?webhookId=${id}`)).body.data).toHaveLength(1);
});

test('a webhook created on one host accepts events on the other immediately, and soon accepts none after it is deleted', async () => {
  const { id, path } = await makeWebhook(client());
  expect((await sendEvent(urls()[1], path, ALERT)).status).toBe(202);
  await client().send('DELETE', `/v2/webhooks/${id}`);
  expect((await sendEvent(urls()[0], path, ALERT)).status).toBe(404);
  const other = async () => (await sendEvent(urls()[1], path, ALERT)).status === 404;
  await until('the other host rejects it', other);
});

test('events of an integration that floods the intake wait in a queue of their own, and those of another are stored meanwhile', async () => {
  const [flooder, trickler] = [await makeWebhook(client()), await makeWebhook(client())];
  const fault = new Fault('a flood of events of another integration');
  const trickle = async () => {
    for (let i = 0; i < EVENTS; i++)
      expect((await fault.response(sendEvent(urls()[1], trickler.path, ALERT))).status).toBe(202);
  };
  const stored = async ({ id }: TestWebhook) => {
    const own = { webhook_id: toUuidBinary(id) };
    return Number((await fleet.database('events').where(own).count({ events: '*' }).first())?.events);
  };
  const queue = new IntakeQueue(fleet.servers.redis.url);
  const [worker] = fleet.workers;
  worker?.kill('SIGSTOP');
  const flood = new LedgerClient();
  flood.start(() => urls()[0] + flooder.path, 64);
  await until('some wait in their own queue', async () => (await waitingInBulk()) > 0, 120_000);
  await flood.stop();
  const before = await waitingInBulk();
  await trickle();
  expect(await waitingInBulk()).toBe(before);
  worker?.kill('SIGCONT');
  await until('all are stored', async () => (await queue.count()) === 0, 120_000);

  worker?.kill('SIGSTOP');
  fault.provoked();
  for (let batch = 0; batch < FLOOD / 200; batch++)
    await queue.addToFlood(Array.from({ length: 200 }, () => intakeEvent(flooder.id, ALERT)));
  await queue.close();
  const all = (await stored(flooder)) + FLOOD;
  await trickle();
  worker?.kill('SIGCONT');
  await until('its events are stored', async () => (await stored(trickler)) === 2 * EVENTS);
  expect(await stored(flooder)).toBeLessThan(all);
  fault.report();
}, 300_000);

async function waitingInBulk(): Promise<number> {
  const { queues } = (await client().get('/v2/health')).body.data;
  return queues.find(({ queue }: { queue: string }) => queue === alertIntake.queues[1]).waiting;
}
