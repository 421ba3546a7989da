import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { connectDatabase } from '../../../db/client/connect.js';
import { Deadline } from '../../../db/client/deadline.js';
import { isTooSlow } from '../../../db/client/errors.js';
import { alertId } from '../../../db/events/alerts/alert-id.js';
import { itemsOfAlert } from '../../../db/series/alert-items.js';
import { findKeyedItems } from '../../../db/series/keyed-items.js';
import { Client } from '../../support/api/client.js';
import { rowsRead } from '../../support/api/rows-read.js';
import { type ItemSpec, itemsEvent, WEBHOOK, writeEvents } from '../../support/series/write-items.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const START = Date.UTC(2026, 0, 1);
const timeAt = (ms: number): string => new Date(START + ms).toISOString();

const receiptOf = async (eventId: string) => (await client.get(`/v2/events/${eventId}`)).body.data;

/** Stores an event for each status, received one millisecond after the other. Returns their ids. */
async function store(
  dedupKey: string,
  statuses: readonly ItemSpec['status'][],
  more: Partial<ItemSpec> = {},
): Promise<string[]> {
  const events = statuses.map((status, at) =>
    itemsEvent(uuidv7(), START + at, [{ dedupKey, status, ...more }]),
  );
  await writeEvents(stack.database, events);
  return events.map(({ id }) => id);
}

const first = (eventId: string | undefined): string => alertId(eventId as string, 0);

test('a receipt says what its item did, and names the alert', async () => {
  const ids = await store('disk', ['resolved', 'firing', 'firing', 'resolved', 'resolved', 'firing']);
  const [early, opening, again, over, extra, next] = ids as [string, string, string, string, string, string];
  const expected = [
    [early, 'resolved', 'nothing_to_resolve', null],
    [opening, 'firing', 'opened', first(opening)],
    [again, 'firing', 'updated', first(opening)],
    [over, 'resolved', 'resolved', first(opening)],
    [extra, 'resolved', 'nothing_to_resolve', null],
    [next, 'firing', 'opened', first(next)],
  ] as const;
  for (const [event, status, outcome, alertId] of expected) {
    const data = await receiptOf(event);
    expect(data.outcomes).toEqual([{ item: 0, dedupKey: 'disk', status, outcome, alertId }]);
    expect(data.alertIds).toEqual(alertId === null ? [] : [alertId]);
  }
  const list = (await client.get('/v2/events')).body.data as { id: string; alertIds: string[] }[];
  const listed = list.filter(({ id }) => ids.includes(id)).map(({ id, alertIds }) => [id, alertIds]);
  expect(listed.toReversed()).toEqual(
    expected.map(([event, , , alertId]) => [event, alertId === null ? [] : [alertId]]),
  );
});

test('items of one event are in the order of their numbers, and the alerts of several are listed once', async () => {
  const statuses = ['firing', 'resolved', 'firing', 'firing'] as const;
  const event = itemsEvent(
    uuidv7(),
    START,
    statuses.map((status) => ({ dedupKey: 'same time', status })),
  );
  await writeEvents(stack.database, [event]);
  const { outcomes, alertIds } = await receiptOf(event.id);
  expect(outcomes.map(({ item, outcome }: { item: number; outcome: string }) => [item, outcome])).toEqual([
    [0, 'opened'],
    [1, 'resolved'],
    [2, 'opened'],
    [3, 'updated'],
  ]);
  expect(alertIds).toEqual([alertId(event.id, 0), alertId(event.id, 2)]);
});

test('an alert is found by the id of each of its items, but not by one that did nothing', async () => {
  const ids = await store('found', ['firing', 'firing', 'resolved', 'resolved'], { title: 'Found' });
  for (const id of ids.slice(0, 3)) {
    const { data } = (await client.get(`/v2/alerts/${first(id)}`)).body;
    expect(data).toMatchObject({
      id: first(ids[0]),
      title: 'Found',
      status: 'resolved',
      dedupKey: 'found',
      webhookId: WEBHOOK,
      startedAt: timeAt(0),
      receivedAt: timeAt(0),
      lastEventAt: timeAt(2),
      resolvedAt: timeAt(2),
      eventCount: 3,
      previousAlertId: null,
      event: { id: ids[0] },
    });
  }
  expect((await client.get(`/v2/alerts/${first(ids[3])}`)).status).toBe(404);
  expect((await client.get(`/v2/alerts/${ids[1]}`)).status).toBe(404);
});

test('an alert keeps being found by its id after a late event has become its first one', async () => {
  const [known] = await store('late', ['firing'], { title: 'Known' });
  const late = itemsEvent(uuidv7(), START - 1_000, [{ dedupKey: 'late', status: 'firing' }]);
  await writeEvents(stack.database, [late]);
  const { data } = (await client.get(`/v2/alerts/${first(known)}`)).body;
  expect(data).toMatchObject({ id: first(late.id), eventCount: 2, startedAt: timeAt(-1_000) });
  expect((await receiptOf(known as string)).outcomes).toMatchObject([
    { outcome: 'updated', alertId: first(late.id) },
  ]);
});

test('in a series of 5,000 items, the place of an old one and a page of the timeline cost a few rows', async () => {
  const ids = await store('long', new Array(5_000).fill('firing'));
  const events = ids.slice(10, 20).map((id, index) => ({
    receivedAt: new Date(START + 10 + index),
    first: first(id),
    last: first(id),
  }));
  const database = connectDatabase(stack.env.DATABASE_URL, { poolMax: 1 });
  const result = await rowsRead(database, () => findKeyedItems(database, events, new Deadline(5_000)));
  const range = { receivedAt: new Date(START), lastEventAt: new Date(START + 5_000), resolvedAt: null };
  const alert = { ...range, webhookId: WEBHOOK, seriesKey: 'long' };
  const after = { receivedAt: START + 3_000, id: first(ids[3_000]) };
  const page = (order: 'asc' | 'desc') =>
    rowsRead(database, () => itemsOfAlert(database, alert, { order, after, deadline: new Deadline(5_000) }));
  const [next, previous] = [await page('asc'), await page('desc')];
  await database.destroy();
  expect([next.found[0]?.id, previous.found[0]?.id]).toEqual([first(ids[3_001]), first(ids[2_999])]);
  for (const { read, sorted } of [next, previous]) expect([read < 400, sorted]).toEqual([true, 0]);
  expect(result.found.map(({ wasFiring, alertId }) => [wasFiring, alertId])).toEqual(
    events.map(() => [true, first(ids[0])]),
  );
  expect(result.read).toBeLessThan(300);
});

test('a page of events ends after about 2,000 items with a key, and the cursor goes on', async () => {
  const events = [1_000, 1_000, 1_000, 1, 1].map((count, at) => {
    const items = Array.from({ length: count }, (_, key) => ({
      dedupKey: `many ${key}`,
      status: 'firing' as const,
    }));
    return itemsEvent(uuidv7(), Date.UTC(2027, 0, 1) + at, items);
  });
  for (const event of events) await writeEvents(stack.database, [event]);
  const pages: string[][] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body, status } = await client.get(
      `/v2/events?from=2027-01-01T00:00:00Z&pageSize=1000${cursor && `&cursor=${cursor}`}`,
    );
    expect(status).toBe(200);
    pages.push(body.data.map(({ id }: { id: string }) => id));
    cursor = body.page.nextCursor;
    if (pages.length > 5) break;
  }
  const ids = events.map(({ id }) => id).toReversed();
  expect(pages).toEqual([ids.slice(0, 3), ids.slice(3)]);
});

test('an event names no alerts whose items have expired', async () => {
  const [event] = await store('expired', ['firing']);
  await stack
    .database('series_items')
    .where('id', Buffer.from(first(event).replaceAll('-', ''), 'hex'))
    .delete();
  expect(await receiptOf(event as string)).toMatchObject({ alertIds: [], outcomes: [] });
  expect((await client.get(`/v2/alerts/${first(event)}`)).body).toMatchObject({ status: 'success' });
});

test('all statements that find items share one deadline', async () => {
  const place = { receivedAt: new Date(START), first: uuidv7(), last: uuidv7() };
  const error = await findKeyedItems(stack.database, [place], new Deadline(0)).catch((thrown) => thrown);
  expect(isTooSlow(error)).toBe(true);
});

test('health and metrics count the firing alerts by integration and severity', async () => {
  await stack.database('series').update({ firing: 0 });
  for (const [key, severity] of Object.entries({ a: 'Critical', b: 'critical', c: null }))
    await store(key, ['firing'], { severity });
  await store('again', ['firing', 'resolved', 'firing'], { severity: 'critical' });
  const { data } = (await client.get('/v2/health')).body;
  expect(data.firing).toEqual({
    hasSeries: true,
    alerts: 4,
    neverResolved: 3,
    webhooks: [
      {
        webhookId: WEBHOOK,
        alerts: 4,
        neverResolved: 3,
        severities: [
          { severity: 'critical', alerts: 3 },
          { severity: null, alerts: 1 },
        ],
      },
    ],
  });
  const { text } = await client.get('/metrics');
  expect(text).toContain(`muster_alerts_firing{webhook_id="${WEBHOOK}",severity="critical"} 3`);
  expect(text).toContain(`muster_alerts_firing{webhook_id="${WEBHOOK}",severity=""} 1`);
});
