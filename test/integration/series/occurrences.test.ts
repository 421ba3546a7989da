import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const MAPPING = {
  fields: {
    title: { template: '{{webhook.title}}' },
    severity: { template: '{{webhook.severity}}' },
    description: { template: 'text' },
    source: { template: 'Tests' },
    status: { template: '{{webhook.s}}' },
    dedupKey: { template: '{{webhook.key}}' },
    occurrence: { template: '{{webhook.at}}' },
  },
};

async function integration(mapping: object = MAPPING) {
  const webhook = await makeWebhook(client, { template: null });
  expect((await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, mapping)).status).toBe(201);
  return webhook;
}

let time = Date.now() - 3_600_000;
/** Stores payloads, received one after the other, and returns their receipts. */
async function receiptsOf(webhook: Awaited<ReturnType<typeof integration>>, payloads: object[]) {
  time += 60_000;
  const ids = await storePayloads(stack.database, webhook.id, payloads, time);
  const bodies = await Promise.all(ids.map((id) => client.get(`/v2/events/${id}`)));
  return bodies.map(({ body }) => body.data);
}

const alertsOf = async (id: string, query = '') =>
  (await client.get(`/v2/alerts?webhookId=${id}${query}`)).body.data;

test('late news changes no alert, and the receipt says why', async () => {
  const webhook = await integration();
  const receipts = await receiptsOf(webhook, [
    { s: 'firing', key: 'k', at: 2, title: 'Disk full', severity: 'critical' },
    { s: 'resolved', key: 'k', at: 1 },
    { s: 'update', key: 'k', at: 2, title: 'A comment', severity: 'info' },
    { s: 'resolved', key: 'k', at: 2 },
    { s: 'firing', key: 'k', at: 2, title: 'Disk full' },
    { s: 'update', key: 'k', at: 3 },
  ]);
  expect(receipts.map(({ outcomes: [one] }) => [one.status, one.outcome, one.alertId !== null])).toEqual([
    ['firing', 'opened', true],
    ['resolved', 'outdated', false],
    ['update', 'updated', true],
    ['resolved', 'resolved', true],
    ['firing', 'outdated', false],
    ['update', 'nothing_to_update', false],
  ]);
  const [alert, ...others] = await alertsOf(webhook.id);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({
    status: 'resolved',
    title: 'Disk full',
    severity: 'critical',
    eventCount: 3,
  });
  const { body } = await client.get(`/v2/alerts/${alert.id}/events`);
  expect(
    body.data.map(({ status, outcome }: { status: string; outcome: string }) => [status, outcome]),
  ).toEqual([
    ['firing', 'opened'],
    ['update', 'updated'],
    ['resolved', 'resolved'],
  ]);
});

test('a key that is one problem for ever opens again only for the word that says so, also after a remap', async () => {
  const webhook = await integration();
  const payloads = [
    { s: 'resolved', key: 'k' },
    { s: 'firing', key: 'k' },
    { s: 'reopened', key: 'k' },
    { s: 'resolved', key: 'k' },
    { s: 'firing', key: 'k' },
  ];
  await receiptsOf(webhook, payloads);
  expect(await alertsOf(webhook.id)).toHaveLength(2);
  await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, { ...MAPPING, final: true });
  const remap = async () =>
    (await client.json('POST', `/v2/webhooks/${webhook.id}/remap`, {}, { prefer: 'wait=20' })).body.data;
  expect(await remap()).toMatchObject({ state: 'completed', counts: { regrouped: 5 } });
  expect(await remap()).toMatchObject({ state: 'completed', counts: { regrouped: 0 } });
  expect(await alertsOf(webhook.id)).toMatchObject([{ status: 'resolved', eventCount: 2 }]);
  const [receipt] = await receiptsOf(webhook, [{ s: 'firing', key: 'k' }]);
  expect(receipt?.outcomes).toMatchObject([{ outcome: 'outdated', alertId: null }]);
});

test('a test stands alone, is found and counted as a test, and is never firing', async () => {
  const webhook = await integration();
  await receiptsOf(webhook, [
    { s: 'firing', key: 'k', title: 'Disk full', severity: 'critical' },
    { s: 'test', key: 'k', title: 'A test', severity: 'critical' },
    { s: 'test', title: 'Another test', severity: 'info' },
  ]);
  const tests = await alertsOf(webhook.id, '&status=test');
  expect(
    tests.map(({ title, dedupKey }: { title: string; dedupKey: string | null }) => [title, dedupKey]),
  ).toEqual([
    ['Another test', null],
    ['A test', null],
  ]);
  expect(await alertsOf(webhook.id, '&status=firing')).toMatchObject([{ title: 'Disk full', eventCount: 1 }]);
  expect(await alertsOf(webhook.id, '&status=firing&status=test')).toHaveLength(3);
  expect(await alertsOf(webhook.id, '&status=resolved&status=test')).toHaveLength(2);
  const { body } = await client.get(`/v2/alerts/facets?fields=status&webhookId=${webhook.id}`);
  expect(body.data.status.values).toEqual([
    { value: 'test', alerts: 2 },
    { value: 'firing', alerts: 1 },
  ]);
});
