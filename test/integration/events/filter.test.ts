import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { alertId } from '../../../db/events/alerts/alert-id.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const FIELDS = {
  title: { template: '{{webhook.name}}' },
  severity: { template: '{{webhook.severity}}' },
  description: { template: 'd' },
  source: { template: 's' },
};
const NO_INFO = 'webhook.severity != "info"';
const SPLIT = {
  split: 'items',
  filter: 'item.ok',
  fields: { ...FIELDS, severity: { template: 's' }, title: { template: '{{item.name}}' } },
};

const put = (id: string, body: object, query = '') =>
  client.json('PUT', `/v2/webhooks/${id}/mapping${query}`, body);

/** Creates an integration with a mapping. */
async function filtering(mapping: object) {
  const webhook = await makeWebhook(client, { template: null });
  expect((await put(webhook.id, mapping)).status).toBe(201);
  return webhook;
}

async function send(path: string, payload: unknown) {
  const { eventId } = (await (await sendEvent(stack.url, path, payload)).json()) as { eventId: string };
  return receiptOf(client, eventId);
}

async function remap(id: string) {
  const response = await client.json('POST', `/v2/webhooks/${id}/remap`, {});
  return (await client.jobEnd(response.body.jobId)).body.data.counts;
}

const alertsOf = async (id: string) => (await client.get(`/v2/alerts?webhookId=${id}`)).body.data;

test('a filtered event has no alert, and its receipt has the false clause and the values that it read', async () => {
  const { id, path } = await filtering({ filter: `webhook.name != "" && ${NO_INFO}`, fields: FIELDS });
  const dropped = await send(path, { name: 'disk', severity: 'info' });
  expect(dropped).toMatchObject({
    state: 'filtered',
    alertIds: [],
    faults: [],
    warnings: [],
    raw: '{"name":"disk","severity":"info"}',
    filter: {
      clause: NO_INFO,
      values: [{ path: 'webhook.severity', value: 'info' }],
      item: null,
      filteredItems: 0,
    },
  });
  const kept = await send(path, { name: 'disk', severity: 'error' });
  expect(kept).toMatchObject({ state: 'normalized', filter: null });
  expect(await alertsOf(id)).toHaveLength(1);
  const list = await client.get(`/v2/events?webhookId=${id}&state=filtered`);
  expect(list.body.data).toMatchObject([{ id: dropped.id, filter: { clause: NO_INFO } }]);
});

test('a filter that cannot be decided makes the alert, and the receipt says why', async () => {
  const { path } = await filtering({ filter: 'webhook.sevrity != "info"', fields: FIELDS });
  const receipt = await send(path, { name: 'disk', severity: 'info' });
  expect(receipt).toMatchObject({ state: 'normalized', filter: null });
  expect(receipt.warnings).toEqual([
    {
      field: 'filter',
      code: 'filter_missing',
      path: 'webhook.sevrity',
      message: 'filter: webhook.sevrity is missing, so it dropped nothing; did you mean webhook.severity?',
    },
  ]);
});

test('filtered items have no alert, and the other alerts have the ids of their items', async () => {
  const { path } = await filtering(SPLIT);
  const items = [
    { name: 'a', ok: false },
    { name: 'b', ok: true },
    { name: 'c', ok: false },
    { name: 'd', ok: true },
  ];
  const receipt = await send(path, { items });
  expect(receipt).toMatchObject({
    state: 'normalized',
    alertIds: [alertId(receipt.id, 1), alertId(receipt.id, 3)],
    filter: { clause: 'item.ok', item: 0, filteredItems: 2 },
  });
  const alert = (await client.get(`/v2/alerts/${receipt.alertIds[1]}`)).body.data;
  expect([alert.title, alert.results.fields.title.value]).toEqual(['d', 'd']);
  const all = await send(path, { items: items.filter(({ ok }) => !ok) });
  expect(all).toMatchObject({ state: 'filtered', alertIds: [], filter: { filteredItems: 2 } });
});

test('a remap filters by the new revision, and the reverse brings all alerts back under their ids', async () => {
  const { id } = await filtering(SPLIT);
  const payloads = [[true, false], [false, false], [false, true], []].map((oks) => ({
    items: oks.map((ok) => ({ name: String(ok), ok })),
  }));
  await storePayloads(stack.database, id, payloads);
  const filtered = await alertsOf(id);
  expect(filtered).toHaveLength(2);
  const { filter: _, ...open } = SPLIT;
  await put(id, open);
  expect(await remap(id)).toMatchObject({
    events: 4,
    filtered: 0,
    alerts: 6,
    added: 4,
    unchanged: 2,
    removed: 0,
  });
  expect((await alertsOf(id)).length).toBe(6);
  const rows = await stack
    .database('events')
    .where('webhook_id', toUuidBinary(id))
    .whereNotNull('filter_outcome');
  expect(rows).toEqual([]);
  await put(id, SPLIT);
  expect(await remap(id)).toMatchObject({
    events: 4,
    filtered: 1,
    alerts: 2,
    added: 0,
    unchanged: 2,
    removed: 4,
  });
  const ids = (alerts: { id: string }[]) => alerts.map((alert) => alert.id);
  expect(ids(await alertsOf(id))).toEqual(ids(filtered));
});

test('a new filter that would drop all stored events is saved only with a confirmation', async () => {
  const { id } = await filtering({ fields: FIELDS });
  const drops = { filter: NO_INFO, fields: FIELDS };
  expect((await put(id, { ...drops, filter: 'false' })).body.data.filter).toEqual({
    events: 0,
    filtered: 0,
    filteredItems: 0,
  });
  await put(id, { fields: FIELDS });
  await storePayloads(stack.database, id, [{ severity: 'info' }, { severity: 'info', name: 'x' }]);
  const rejected = await put(id, drops);
  expect([rejected.status, rejected.body.code]).toEqual([409, 'filter_drops_all']);
  expect(rejected.body.errors).toMatchObject([{ field: 'filter', code: 'filter_drops_all' }]);
  expect((await client.get(`/v2/webhooks/${id}/mapping`)).body.data.mapping).toEqual({ fields: FIELDS });
  const saved = await put(id, drops, '?confirm=drops-all');
  expect([saved.status, saved.body.data.filter]).toEqual([201, { events: 2, filtered: 2, filteredItems: 0 }]);
  // The filter is not new, so another field can be changed without a question.
  const again = await put(id, { ...drops, fields: { ...FIELDS, team: { template: 't' } } });
  expect([again.status, again.body.data.filter]).toEqual([201, undefined]);
  expect((await put(id, drops, '?confirm=yes')).body.code).toBe('invalid_query');
});

test('an invalid filter is rejected with its position', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const { status, body } = await put(id, { filter: 'webhook.a ==\n  sevrity', fields: FIELDS });
  expect([status, body.code]).toEqual([422, 'invalid_mapping']);
  expect(body.errors).toMatchObject([{ field: 'filter', code: 'unknown_name', line: 2, column: 3 }]);
});

test('a preview reports what a filter would drop, and why', async () => {
  const { id } = await filtering({ fields: FIELDS });
  const ids = await storePayloads(stack.database, id, [
    { severity: 'info', name: 'a' },
    { severity: 'error', name: 'b' },
    { name: 'c' },
    { severity: 'info', name: 'd' },
  ]);
  const { body } = await client.json('POST', `/v2/webhooks/${id}/preview`, {
    last: 10,
    mapping: { filter: NO_INFO, fields: FIELDS },
  });
  const { events, statistics, alertCount, comparison } = body.data;
  const states = events.map(({ eventState }: { eventState: string }) => eventState);
  expect([alertCount, states]).toEqual([2, ['filtered', 'normalized', 'normalized', 'filtered']]);
  expect(events[0].filter).toMatchObject({ clause: NO_INFO, filteredItems: 0 });
  expect(statistics.filter).toMatchObject({
    events: 2,
    items: 0,
    clauses: [
      { clause: NO_INFO, count: 2, eventId: ids[3], values: [{ path: 'webhook.severity', value: 'info' }] },
    ],
    undecided: [{ code: 'filter_missing', count: 1, eventId: ids[2] }],
  });
  expect(comparison[0].alerts[0]).toMatchObject({ before: 'complete', after: null });
});

test('the metrics and the health of the service count filtered events', async () => {
  const counted = async () =>
    Number(/^muster_events_filtered_total (\d+)$/m.exec((await stack.worker?.metrics.scrape()) ?? '')?.[1]);
  const before = await counted();
  const { path } = await filtering({ filter: NO_INFO, fields: FIELDS });
  await send(path, { severity: 'info' });
  await until('the event is counted', async () => (await counted()) === before + 1);
  const { minutes } = (await client.get('/v2/health')).body.data;
  const sum = minutes.reduce((all: number, minute: { filtered: number }) => all + minute.filtered, 0);
  expect(sum).toBeGreaterThan(0);
});
