import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectDatabase } from '../../../db/client/connect.js';
import { findKeyedItems } from '../../../db/series/keyed-items.js';
import { Client } from '../../support/api/client.js';
import { rowsRead } from '../../support/api/rows-read.js';
import { alertIn, itemId, SERIES_START, storeSeries } from '../../support/api/series.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let webhookId: string;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
  webhookId = (await makeWebhook(client)).id;
});
afterAll(() => stack.stop());

const eventOf = (item: string): string => `${item.slice(0, -3)}000`;
const receipt = async (item: string) => (await client.get(`/v2/events/${eventOf(item)}`)).body.data;

test('a receipt says what its item did, and names the alert', async () => {
  const [early, first, again, over, extra, next] = Array.from({ length: 6 }, () => itemId()) as string[];
  const sketches = [
    { id: early, status: 'resolved', at: 0 },
    { id: first, status: 'firing', at: 1_000, title: 'Disk full' },
    { id: again, status: 'firing', at: 2_000 },
    { id: over, status: 'resolved', at: 3_000 },
    { id: extra, status: 'resolved', at: 4_000 },
    { id: next, status: 'firing', at: 5_000 },
  ] as Parameters<typeof storeSeries>[3];
  await storeSeries(stack.database, webhookId, 'disk', sketches);
  const expected = [
    [early, 'resolved', 'nothing_to_resolve', null],
    [first, 'firing', 'opened', first],
    [again, 'firing', 'updated', first],
    [over, 'resolved', 'resolved', first],
    [extra, 'resolved', 'nothing_to_resolve', null],
    [next, 'firing', 'opened', next],
  ] as const;
  for (const [item, status, outcome, alertId] of expected) {
    const data = await receipt(item as string);
    expect(data.outcomes).toEqual([{ item: 0, dedupKey: 'disk', status, outcome, alertId }]);
    expect(data.alertIds).toEqual(alertId === null ? [] : [alertId]);
  }
  const list = (await client.get(`/v2/events?webhookId=${webhookId}`)).body.data;
  expect(list.map(({ alertIds }: { alertIds: string[] }) => alertIds)).toEqual(
    expected.map(([, , , alertId]) => (alertId === null ? [] : [alertId])).toReversed(),
  );
});

test('the items of one event that were received at the same time are in the order of their numbers', async () => {
  const { id } = await makeWebhook(client);
  const event = eventOf(itemId());
  const items = Array.from({ length: 4 }, (_, number) => alertIn(event, number)) as [string, ...string[]];
  const statuses = ['firing', 'resolved', 'firing', 'firing'] as const;
  await storeSeries(
    stack.database,
    id,
    'same time',
    items.map((item, number) => ({ id: item, status: statuses[number] ?? 'firing', at: 7 })),
  );
  const { outcomes, alertIds } = await receipt(event);
  expect(outcomes.map(({ item, outcome }: { item: number; outcome: string }) => [item, outcome])).toEqual([
    [0, 'opened'],
    [1, 'resolved'],
    [2, 'opened'],
    [3, 'updated'],
  ]);
  expect(alertIds).toEqual([items[0], items[2]]);
});

test('an alert is found by the id of each of its items, but not by one that did nothing', async () => {
  const [first, again, over, extra] = [itemId(), itemId(), itemId(), itemId()];
  const { id } = await makeWebhook(client);
  await storeSeries(stack.database, id, 'found', [
    { id: first, status: 'firing', at: 1, title: 'Found' },
    { id: again, status: 'firing', at: 2 },
    { id: over, status: 'resolved', at: 3 },
    { id: extra, status: 'resolved', at: 4 },
  ]);
  for (const item of [first, again, over]) {
    const { data } = (await client.get(`/v2/alerts/${item}`)).body;
    expect(data).toMatchObject({
      id: first,
      title: 'Found',
      status: 'resolved',
      dedupKey: 'found',
      startedAt: new Date(SERIES_START + 1).toISOString(),
      receivedAt: new Date(SERIES_START + 1).toISOString(),
      lastEventAt: new Date(SERIES_START + 3).toISOString(),
      resolvedAt: new Date(SERIES_START + 3).toISOString(),
      eventCount: 3,
      previousAlertId: null,
      event: { id: eventOf(first) },
    });
  }
  expect((await client.get(`/v2/alerts/${extra}`)).status).toBe(404);
  expect((await client.get(`/v2/alerts/${eventOf(again)}`)).status).toBe(404);
});

test('the place of an old item in a series of 20,000 items costs a few rows', async () => {
  const { id } = await makeWebhook(client);
  const items = Array.from({ length: 20_000 }, (_, at) => ({ id: itemId(), status: 'firing' as const, at }));
  for (let start = 0; start < items.length; start += 2_000) {
    const some = items.slice(start, start + 2_000);
    if (start === 0) await storeSeries(stack.database, id, 'long', some);
    else await moreItems(some);
  }
  async function moreItems(some: typeof items) {
    const [series] = await stack.database('series').where('dedup_key', 'long');
    await stack.database('series_items').insert(
      some.map((item) => ({
        received_at: new Date(SERIES_START + item.at),
        id: Buffer.from(item.id.replaceAll('-', ''), 'hex'),
        series_id: series.id,
        status: item.status,
        state: 'complete',
        revision: 1,
        ranks: '',
      })),
    );
  }
  const database = connectDatabase(stack.env.DATABASE_URL, { poolMax: 1 });
  const events = items.slice(10, 20).map(({ id: item, at }) => ({
    receivedAt: new Date(SERIES_START + at),
    first: item,
    last: item,
  }));
  const result = await rowsRead(database, () => findKeyedItems(database, events, 5_000));
  await database.destroy();
  expect(result.found.map(({ wasFiring, alertId }) => [wasFiring, alertId])).toEqual(
    events.map(() => [true, items[0]?.id]),
  );
  expect(result.read).toBeLessThan(300);
}, 60_000);

test('health and metrics count the firing alerts by integration and severity', async () => {
  const { id } = await makeWebhook(client);
  for (const [key, severity] of [
    ['a', 'Critical'],
    ['b', 'critical'],
    ['c', null],
  ] as const) {
    await storeSeries(stack.database, id, key, [{ id: itemId(), status: 'firing', at: 1 }]);
    await stack.database('series').where({ dedup_key: key }).update({ severity });
  }
  const { data } = (await client.get('/v2/health')).body;
  const own = data.firing.webhooks.find((one: { webhookId: string }) => one.webhookId === id);
  expect(own).toEqual({
    webhookId: id,
    alerts: 3,
    neverResolved: 3,
    severities: [
      { severity: 'critical', alerts: 2 },
      { severity: null, alerts: 1 },
    ],
  });
  const { text } = await client.get('/metrics');
  expect(text).toContain(`muster_alerts_firing{webhook_id="${id}",severity="critical"} 2`);
  expect(text).toContain(`muster_alerts_firing{webhook_id="${id}",severity=""} 1`);
});
