import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { LedgerClient } from '../support/api/ledger-client.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../support/api/webhooks.js';
import { balanceOfCounts, Fault } from '../support/faults/fault.js';
import { type Fleet, startFleet } from '../support/servers/fleet.js';
import { until } from '../support/until.js';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ apis: 2 });
}, 60_000);
afterAll(() => fleet.stop());

const urls = () => fleet.apis.map(({ url }) => url) as [string, string];
const client = () => (fleet.apis[0] as Fleet['apis'][0]).client;

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
  await until('the other host rejects it', other, 5_000);
});

test('while one integration floods the intake, the events of another are stored within 2 s', async () => {
  const flooder = await makeWebhook(client());
  const trickler = await makeWebhook(client());
  const flood = new LedgerClient();
  flood.start(() => urls()[0] + flooder.path, 64);
  await until('the flood has started', () => flood.acknowledged > 2_000, 30_000);
  const fault = new Fault('a flood of events of another integration');
  fault.provoked();
  const waits: number[] = [];
  for (let i = 0; i < 10; i++) {
    const response = await fault.response(sendEvent(urls()[1], trickler.path, ALERT));
    const sent = (await response.json()) as { eventId: string };
    const sentAt = Date.now();
    await receiptOf(client(), sent.eventId);
    waits.push(Date.now() - sentAt);
  }
  await flood.stop();
  fault.report();
  waits.sort((a, b) => a - b);
  expect(waits[5]).toBeLessThan(2_000);
}, 60_000);
