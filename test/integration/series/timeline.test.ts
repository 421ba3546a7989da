import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { itemsInOrder, type KeyedAlert, newestItems } from '../../../api/routes/alerts/items.js';
import { providersOf } from '../../../api/routes/alerts/providers.js';
import { connectDatabase } from '../../../db/client/connect.js';
import { Deadline } from '../../../db/client/deadline.js';
import { isTooSlow } from '../../../db/client/errors.js';
import { alertId } from '../../../db/events/alerts/alert-id.js';
import { findAlert } from '../../../db/events/alerts/alerts.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { itemsEvent, writeEvents } from '../../support/series/write-items.js';
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
    title: { template: '{{webhook.name}}' },
    severity: { template: '{{webhook.severity}}', default: 'warning' },
    description: { template: '{{webhook.text}}', default: 'no text' },
    source: { template: 'Tests' },
    status: { template: '{{webhook.status}}' },
    dedupKey: { template: '{{webhook.key}}' },
  },
  custom: { zone: { template: '{{webhook.zone}}' } },
};

async function integration() {
  const webhook = await makeWebhook(client, { template: null });
  const saved = await client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, MAPPING);
  expect(saved.status).toBe(201);
  return webhook;
}

interface Entry {
  id: string;
  eventId: string;
  outcome: string | null;
  changed: { field: string; before: string | null; after: string | null }[];
}

/** Returns the whole timeline of an alert, read in pages. */
async function timeline(id: string, pageSize = 50): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body, status } = await client.get(
      `/v2/alerts/${id}/events?pageSize=${pageSize}${cursor && `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    entries.push(...body.data);
    cursor = body.page.nextCursor;
  }
  return entries;
}

const brief = (entries: readonly Entry[]) =>
  entries.map(({ outcome, changed }) => [outcome, ...changed.map(({ field }) => field).sort()]);

test('the same alert sent twice is one alert, and the recovery resolves it and keeps its texts', async () => {
  const { id, path } = await integration();
  const send = async (payload: object) => {
    const { eventId } = (await (await sendEvent(stack.url, path, payload)).json()) as { eventId: string };
    return receiptOf(client, eventId);
  };
  const problem = {
    key: 'cpu',
    status: 'down',
    name: 'High CPU',
    severity: 'critical',
    text: '95%',
    zone: 'a',
  };
  const opened = await send(problem);
  expect(opened.outcomes).toMatchObject([{ dedupKey: 'cpu', status: 'firing', outcome: 'opened' }]);
  const [alert] = opened.alertIds;
  const updated = await send({ ...problem, text: '97%' });
  expect(updated).toMatchObject({ alertIds: [alert], outcomes: [{ outcome: 'updated', alertId: alert }] });
  const firing = (await client.get(`/v2/alerts?webhookId=${id}&status=firing`)).body.data;
  expect(firing).toMatchObject([{ id: alert, eventCount: 2, description: '97%', resolvedAt: null }]);
  const resolved = await send({ key: 'cpu', status: 'OK' });
  expect(resolved.outcomes).toMatchObject([{ status: 'resolved', outcome: 'resolved', alertId: alert }]);
  const extra = await send({ key: 'cpu', status: 'OK' });
  expect(extra).toMatchObject({ alertIds: [], outcomes: [{ outcome: 'nothing_to_resolve', alertId: null }] });

  expect((await client.get(`/v2/alerts?webhookId=${id}&status=firing`)).body.data).toEqual([]);
  const { data } = (await client.get(`/v2/alerts/${alert}`)).body;
  expect(data).toMatchObject({
    status: 'resolved',
    dedupKey: 'cpu',
    title: 'High CPU',
    severity: 'critical',
    description: '97%',
    custom: { zone: 'a' },
    eventCount: 3,
    state: 'complete',
    lastEventAt: resolved.receivedAt,
    resolvedAt: resolved.receivedAt,
  });
  const from = (name: string) => data.results.fields[name].eventId;
  expect(['title', 'severity', 'description', 'source'].map(from)).toEqual(new Array(4).fill(updated.id));
  expect(['status', 'dedupKey'].map(from)).toEqual(new Array(2).fill(resolved.id));
  expect(data.results.fields.status).toMatchObject({ value: 'resolved', result: 'resolved' });
  expect(data.results.custom.zone).toMatchObject({ value: 'a', eventId: updated.id });
  expect(brief(await timeline(alert))).toEqual([
    ['opened', 'custom.zone', 'description', 'severity', 'source', 'title'],
    ['updated', 'description'],
    ['resolved'],
  ]);
  const again = await send(problem);
  expect((await client.get(`/v2/alerts/${again.alertIds[0]}`)).body.data.previousAlertId).toBe(alert);
});

test('the CSV has the new columns at its end', async () => {
  const { id } = await integration();
  await storePayloads(stack.database, id, [
    { key: '=1', status: 'firing', name: 'Keyed' },
    { key: '=1', status: 'resolved' },
  ]);
  const { text } = await client.get(
    `/v2/alerts?webhookId=${id}&status=resolved&format=csv&escapeFormulas=true`,
  );
  const [head, row] = text.trim().split('\n') as [string, string];
  expect(head.split(',').slice(-13)).toEqual([
    'custom',
    'status',
    'dedupKeyEscaped',
    'startedAt',
    'lastEventAt',
    'resolvedAt',
    'eventCount',
    'previousAlertId',
    'resolvedBy',
    'resolutionEscaped',
    'peakSeverityEscaped',
    'peakAt',
    'ownerEmailEscaped',
  ]);
  expect(row).toMatch(/,resolved,'=1,(.+Z),(.+Z),\2,2,,event,,warning,\1,$/);
  const firing = await client.get(`/v2/alerts?webhookId=${id}&status=firing&format=csv`);
  expect(firing.text.trim().split('\n')).toHaveLength(1);
});

test('an event without its key is an alert of its own, and its receipt warns', async () => {
  const { id } = await integration();
  const [eventId] = await storePayloads(stack.database, id, [{ status: 'firing', name: 'Alone' }]);
  const receipt = await receiptOf(client, eventId as string);
  const alert = alertId(eventId as string, 0);
  expect(receipt).toMatchObject({ alertIds: [alert], outcomes: [] });
  expect(receipt.warnings).toEqual([
    expect.objectContaining({ field: 'dedupKey', code: 'missing_dedup_key' }),
  ]);
  const { data } = (await client.get(`/v2/alerts/${alert}`)).body;
  expect(data).toMatchObject({
    status: null,
    dedupKey: null,
    startedAt: data.receivedAt,
    lastEventAt: data.receivedAt,
    resolvedAt: null,
    eventCount: 1,
    previousAlertId: null,
  });
  expect(await timeline(alert)).toEqual([
    expect.objectContaining({ id: alert, eventId, status: null, outcome: null, eventCount: 1 }),
  ]);
});

test('pages of a timeline continue exactly, and the last one ends at the resolving event', async () => {
  const at = Date.UTC(2026, 0, 1);
  const severities = ['info', 'info', 'error', 'error', 'info', null, 'info', 'error', 'info'];
  const events = severities.map((severity, number) =>
    itemsEvent(uuidv7(), at + Math.floor(number / 2), [
      { dedupKey: 'pages', status: 'firing', severity, ranks: severity === null ? '0000000' : '0200000' },
    ]),
  );
  const end = ['resolved', 'resolved', 'firing'] as const;
  for (const status of end)
    events.push(itemsEvent(uuidv7(), at + 4, [{ dedupKey: 'pages', status, ranks: '0000000' }]));
  await writeEvents(stack.database, events);
  const alert = alertId(events[0]?.id as string, 0);
  const whole = await timeline(alert);
  expect(brief(whole)).toEqual([
    ['opened', 'severity'],
    ['updated'],
    ['updated', 'severity'],
    ['updated'],
    ['updated', 'severity'],
    ['updated'],
    ['updated'],
    ['updated', 'severity'],
    ['updated', 'severity'],
    ['resolved'],
  ]);
  for (const pageSize of [1, 2, 3, 5, 10]) expect(await timeline(alert, pageSize)).toEqual(whole);
});

test('the event that a value comes from is found behind 1,500 events without it', async () => {
  const { id } = await integration();
  const payloads = Array.from({ length: 1_500 }, () => ({ key: 'storm' }));
  const [first] = await storePayloads(stack.database, id, [{ key: 'storm', name: 'Storm' }, ...payloads]);
  const { data } = (await client.get(`/v2/alerts/${alertId(first as string, 0)}`)).body;
  expect(data).toMatchObject({ title: 'Storm', eventCount: 1_501 });
  expect(data.results.fields.title).toMatchObject({ value: 'Storm', eventId: first });
});

test('all pages of items that a request reads share one deadline', async () => {
  const { id } = await integration();
  const payloads = Array.from({ length: 150 }, () => ({ key: 'pages of items' }));
  const [first] = await storePayloads(stack.database, id, payloads);
  const alert = await findAlert(stack.database, alertId(first as string, 0));
  for (const read of [itemsInOrder, newestItems]) {
    const reading = { database: stack.database, deadline: new Deadline(2_000) };
    let found = 0;
    const reads = async () => {
      for await (const _ of read(reading, alert as KeyedAlert, null)) {
        found += 1;
        if (found === 1) await sleep(2_000);
      }
    };
    const error = await reads().catch((thrown: unknown) => thrown);
    expect([found, isTooSlow(error)]).toEqual([100, true]);
  }
});

test('an event of the next alert in the same millisecond provides nothing', async () => {
  const at = Date.UTC(2026, 1, 1);
  const statuses = ['firing', 'resolved', 'firing', 'resolved', 'firing'] as const;
  const events = statuses.map((status, number) =>
    itemsEvent(uuidv7(), number === 0 ? at - 1 : at, [{ dedupKey: 'tie', status, title: 'Same' }]),
  );
  await writeEvents(stack.database, events);
  const ids = events.map(({ id }) => alertId(id, 0));
  for (const [opener, last] of [
    [0, 1],
    [2, 3],
  ] as const) {
    const alert = await findAlert(stack.database, ids[opener] as string);
    const reading = { database: stack.database, deadline: new Deadline(5_000) };
    const found: string[] = [];
    for await (const item of newestItems(reading, alert as KeyedAlert)) found.push(item.id);
    expect(found).toEqual([ids[last], ids[opener]]);
  }
});

test('of an earlier alert without an owner, items are read until the other fields are provided', async () => {
  const at = Date.UTC(2026, 2, 1);
  const events = Array.from({ length: 120 }, (_, number) => {
    const status = number === 118 ? 'resolved' : 'firing';
    return itemsEvent(uuidv7(), at + number, [{ dedupKey: 'no owner', status, ranks: '2222222' }]);
  });
  await writeEvents(stack.database, events);
  const alert = await findAlert(stack.database, alertId(events[0]?.id ?? '', 0));
  let pages = 0;
  const count = ({ sql }: { sql: string }) => {
    if (/series_items.*desc/is.test(sql)) pages += 1;
  };
  stack.database.on('query', count);
  await providersOf(stack.database, alert as KeyedAlert);
  stack.database.off('query', count);
  expect(pages).toBe(1);
});

test('while the items cannot be read, an alert has no results, and a receipt responds with 503', async () => {
  const { id } = await integration();
  const [gone, event] = await storePayloads(stack.database, id, [
    { key: 'slow', name: 'Slow' },
    { key: 'slow', name: 'Slow' },
  ]);
  await stack
    .database('events')
    .where('id', Buffer.from((gone as string).replaceAll('-', ''), 'hex'))
    .delete();
  const alert = `/v2/alerts/${alertId(gone as string, 0)}`;
  expect((await client.get(alert)).body.data.results.fields.title).toMatchObject({ eventId: event });
  const locking = connectDatabase(stack.env.DATABASE_URL, { poolMax: 1 });
  await locking.raw('LOCK TABLES series_items WRITE');
  const responses = await Promise.all([alert, `/v2/events/${event}`].map((path) => client.get(path)));
  await locking.raw('UNLOCK TABLES');
  await locking.destroy();
  const [shown, receipt] = responses.map(({ status, body }) => ({ status, body }));
  expect(shown).toMatchObject({ status: 200, body: { data: { title: 'Slow', results: null } } });
  expect(receipt).toMatchObject({ status: 503, body: { code: 'search_too_slow' } });
}, 30_000);

test('a timeline outlives the events', async () => {
  const { id } = await integration();
  const [eventId] = await storePayloads(stack.database, id, [
    { key: 'k', name: 'Expired', severity: 'error' },
    { key: 'k', name: 'Expired', severity: 'critical', text: '99%', zone: 'b' },
    { key: 'k', name: 'Expired' },
    { key: 'k', name: 'Gone', severity: 'info', status: 'resolved' },
  ]);
  await stack
    .database('events')
    .where('webhook_id', Buffer.from(id.replaceAll('-', ''), 'hex'))
    .delete();
  const alert = alertId(eventId as string, 0);
  const { data } = (await client.get(`/v2/alerts/${alert}`)).body;
  expect(data).toMatchObject({ title: 'Expired', event: null, results: null });
  for (const pageSize of [1, 50]) {
    const [opened, updated, none, resolved] = await timeline(alert, pageSize);
    expect(opened).toMatchObject({ eventId, outcome: 'opened' });
    expect(opened?.changed).toContainEqual({ field: 'severity', before: null, after: 'error' });
    expect(updated?.changed).toEqual([
      { field: 'severity', before: 'error', after: 'critical' },
      { field: 'description', before: 'no text', after: '99%' },
      { field: 'custom.zone', before: null, after: 'b' },
    ]);
    expect([none?.changed, resolved?.changed]).toEqual([[], []]);
  }
});

test('an invalid cursor and an unknown alert are errors', async () => {
  const { id } = await integration();
  const [one] = await storePayloads(stack.database, id, [{ key: 'k' }]);
  const path = `/v2/alerts/${alertId(one as string, 0)}/events`;
  expect((await client.get(`${path}?cursor=abc`)).body.code).toBe('invalid_cursor');
  expect((await client.get(`/v2/alerts/${uuidv7()}/events`)).status).toBe(404);
});

const COUNTED = {
  fields: { ...MAPPING.fields, dedupKey: undefined, status: undefined },
  custom: MAPPING.custom,
  repeatWindowSeconds: 60,
};

/** Returns an integration that counts identical events, and its alerts: the newest first. */
async function counting(mapping: object = COUNTED) {
  const webhook = await makeWebhook(client, { template: null });
  const save = (next: object) => client.json('PUT', `/v2/webhooks/${webhook.id}/mapping`, next);
  expect((await save(mapping)).status).toBe(201);
  const alerts = async (query = '') =>
    (await client.get(`/v2/alerts?webhookId=${webhook.id}${query}`)).body.data;
  return { ...webhook, save, alerts };
}

const countsOf = (alerts: { eventCount: number }[]) => alerts.map(({ eventCount }) => eventCount);

test('the same bytes sent twice are one alert that counts both, without a key and a status', async () => {
  const { id, path, alerts } = await counting();
  const send = async (body: string, headers = {}) => {
    const { eventId } = (await (await sendEvent(stack.url, path, body, headers)).json()) as {
      eventId: string;
    };
    return receiptOf(client, eventId);
  };
  const body = '{"name":"Failed logins"}';
  const first = await send(body);
  const [alertId] = first.alertIds;
  const unkeyed = { item: 0, dedupKey: null, status: null, alertId };
  expect(first.outcomes).toEqual([{ ...unkeyed, outcome: 'opened' }]);
  const second = await send(body);
  expect(second.outcomes).toEqual([{ ...unkeyed, outcome: 'updated' }]);
  expect(second.alertIds).toEqual([alertId]);
  const others = [
    await send('{"name": "Failed logins"}'),
    await send(body, { 'idempotency-key': `${id}-1` }),
    await send(body, { 'idempotency-key': `${id}-2` }),
  ];
  for (const { outcomes } of others.slice(1)) expect(outcomes).toEqual([]);
  expect(countsOf(await alerts())).toEqual([1, 1, 1, 2]);
  const { body: detail } = await client.get(`/v2/alerts/${alertId}`);
  expect(detail.data).toMatchObject({ status: null, dedupKey: null, resolvedAt: null, eventCount: 2 });
  expect(detail.data.seriesKey).toBeUndefined();
  expect(detail.data.results.fields.title).toMatchObject({ value: 'Failed logins', eventId: second.id });
  expect(await timeline(alertId)).toMatchObject([
    { eventId: first.id, status: null, outcome: 'opened' },
    { eventId: second.id, status: null, outcome: 'updated', changed: [] },
  ]);
  expect([await alerts('&status=firing'), await alerts('&status=firing&status=test')]).toEqual([[], []]);
  const facets = await client.get(`/v2/alerts/facets?fields=status&webhookId=${id}`);
  expect(facets.body.data.status.values).toEqual([{ value: null, alerts: 4 }]);
  const { text } = await client.get(`/v2/alerts?webhookId=${id}&format=csv`);
  expect(text).not.toContain('repeat:');
});

test('a repetition after the window is another alert, in whatever order the events are stored', async () => {
  const { id, alerts } = await counting();
  const start = Date.now() - 3_600_000;
  for (const seconds of [61, 0, 130, 60, 1])
    await storePayloads(stack.database, id, [{ name: 'disk' }], start + seconds * 1_000);
  const found = await alerts();
  expect(countsOf(found)).toEqual([1, 1, 3]);
  expect(found[0].previousAlertId).toBe(found[1].id);
  expect(found[2].receivedAt).toBe(new Date(start).toISOString());
});

test('identical items of one event are alerts of their own, and each counts its repetition', async () => {
  const { id, alerts } = await counting({ ...COUNTED, split: 'list' });
  const event = { list: [{ name: 'disk' }, { name: 'disk' }] };
  await storePayloads(stack.database, id, [event]);
  expect(countsOf(await alerts())).toEqual([1, 1]);
  await storePayloads(stack.database, id, [event], Date.now() - 3_590_000);
  expect(countsOf(await alerts())).toEqual([2, 2]);
});

test('a remap counts repetitions, and takes them apart again', async () => {
  const off = { ...COUNTED, repeatWindowSeconds: null };
  const { id, save, alerts } = await counting(off);
  const names = ['disk', 'disk', 'net', 'disk'];
  await storePayloads(
    stack.database,
    id,
    names.map((name) => ({ name })),
  );
  const remap = (body: object = {}) =>
    client.json('POST', `/v2/webhooks/${id}/remap`, body, { prefer: 'wait=20' });
  const before = (await alerts()).map((alert: { id: string }) => alert.id);
  expect(before).toHaveLength(4);
  const preview = await client.json('POST', `/v2/webhooks/${id}/preview`, { mapping: COUNTED, last: 10 });
  expect(preview.body.data.series).toMatchObject({ items: 4, keyed: 0, repeated: 2, alerts: 2, firing: 0 });
  expect(preview.body.data.series.series).toMatchObject([{ dedupKey: null, status: null, itemCount: 3 }]);
  expect(preview.body.data.alerts[0]).toMatchObject({ series: null, repeatWindowSeconds: 60 });
  await save(COUNTED);
  expect((await remap({ onlyIncomplete: true })).body.code).toBe('all_events_needed');
  expect((await remap()).body.data).toMatchObject({ state: 'completed', counts: { regrouped: 4 } });
  expect(countsOf(await alerts())).toEqual([1, 3]);
  await save(off);
  expect((await remap()).body.data).toMatchObject({ state: 'completed', counts: { regrouped: 4 } });
  expect(await alerts()).toMatchObject(before.map((alert: string) => ({ id: alert, eventCount: 1 })));
});

test('an item that lacks its key is counted too, with a warning', async () => {
  const { path, alerts } = await counting({ ...MAPPING, repeatWindowSeconds: 60 });
  for (const _ of [1, 2]) {
    const { eventId } = (await (
      await sendEvent(stack.url, path, { name: 'disk', status: 'down' })
    ).json()) as {
      eventId: string;
    };
    const { warnings } = await receiptOf(client, eventId);
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'missing_dedup_key' }));
  }
  expect(countsOf(await alerts())).toEqual([2]);
});
