import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { uuidv7 } from 'uuidv7';
import { toEventId } from '../../../db/events/alerts/alert-id.js';
import { EventRows } from '../../../db/events/event-rows.js';
import { alertIntake } from '../../../workers/queues/contracts/alert-intake.js';
import { expireEvents } from '../../../workers/upkeep/expire-by-day.js';
import { runTurn } from '../../../workers/upkeep/run-turn.js';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, receiptOf } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const event = (webhookId: string, body: object = ALERT, id = toEventId(uuidv7())) => ({
  id,
  webhookId,
  receivedAt: Date.now(),
  raw: JSON.stringify(body),
});

const enqueue = (events: ReturnType<typeof event>[]) =>
  stack.api.producer.enqueue(alertIntake, uuidv7(), { version: 1, events });

test('stores a batch once that is queued twice, in whole or in part', async () => {
  const { id } = await makeWebhook(client);
  const events = [event(id), event(id), event(id)];
  await enqueue([...events, events[0] as (typeof events)[0]]);
  const last = event(id);
  await enqueue([...events, last]);
  await receiptOf(client, last.id);
  for (const one of events) await receiptOf(client, one.id);
  const [[{ events: stored }]] = await stack.database.raw('SELECT COUNT(*) AS events FROM events');
  const [[{ alerts }]] = await stack.database.raw('SELECT COUNT(*) AS alerts FROM alerts');
  expect([Number(stored), Number(alerts)]).toEqual([4, 4]);
});

test('stores the alert even if the nearest key of a missing path is 70,000 characters long', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const fields = {
    severity: { template: '{{webhook.severity}}' },
    description: { template: 'd' },
    source: { template: 's' },
  };
  const row = { webhook_id: id, revision: 1, mapping: JSON.stringify({ fields }), created_at: new Date() };
  await stack.database('mapping_revisions').insert(row);
  await stack.database('webhooks').where({ id }).update({ mapping_revision: 1 });
  const one = event(id, { ['k'.repeat(70_000)]: { severity: 'critical' } });
  await enqueue([one]);
  expect(await receiptOf(client, one.id)).toMatchObject({
    state: 'normalized',
    alertIds: [expect.any(String)],
  });
});

test('stores an expired event that is sent again, and leaves its alerts as they are', async () => {
  const { id } = await makeWebhook(client);
  const again = event(id);
  await enqueue([again]);
  const { alertIds } = await receiptOf(client, again.id);
  await stack.database('alerts').where({ title: ALERT.alert.name }).update({ team: 'kept' });
  await stack.database('events').delete();
  const other = event(id);
  await enqueue([again, other]);
  expect((await receiptOf(client, again.id)).alertIds).toEqual(alertIds);
  await receiptOf(client, other.id);
  const { body } = await client.get(`/v2/alerts/${alertIds[0]}`);
  expect(body.data.team).toBe('kept');
});

test('quarantines the one event that the database rejects, and stores the others of its batch', async () => {
  await stack.database.raw(`CREATE TRIGGER poison BEFORE INSERT ON alerts FOR EACH ROW
    BEGIN IF NEW.title = 'poison' THEN SIGNAL SQLSTATE '22001'; END IF; END`);
  const { id } = await makeWebhook(client);
  const before = await counted();
  const events = Array.from({ length: 50 }, (_, i) =>
    event(id, { ...ALERT, alert: { ...ALERT.alert, name: i === 17 ? 'poison' : `alert ${i}` } }),
  );
  await enqueue(events);
  const receipts = [];
  for (const one of events) receipts.push(await receiptOf(client, one.id));
  const failed = receipts.filter(({ state }) => state === 'failed');
  expect(failed).toMatchObject([
    { id: events[17]?.id, alertIds: [], raw: events[17]?.raw, faults: [{ code: 'refused_by_database' }] },
  ]);
  expect(receipts.filter(({ state }) => state === 'normalized')).toHaveLength(49);
  await stack.database.raw('DROP TRIGGER poison');
  const expected = [50, 1, 49].map((more, i) => (before[i] as number) + more);
  await until('the metrics count all events', async () => isDeepStrictEqual(await counted(), expected));
});

/** Returns the numbers of stored events, failed events and stored alerts from the worker's metrics. */
async function counted(): Promise<number[]> {
  const text = (await stack.worker?.metrics.scrape()) ?? '';
  return ['events_stored', 'events_failed', 'alerts_stored'].map((name) =>
    Number(new RegExp(`^muster_${name}_total (\\d+)$`, 'm').exec(text)?.[1]),
  );
}

/** Creates an integration that makes one alert of each of `items`, all with the same long description. */
async function makeSplitter(): Promise<string> {
  const { id } = await makeWebhook(client);
  const mapping = {
    split: 'items',
    fields: {
      severity: { template: 'info' },
      source: { template: 'test' },
      description: { template: '{{webhook.long}}' },
    },
  };
  await stack.database('mapping_revisions').insert({
    webhook_id: id,
    revision: 2,
    mapping: JSON.stringify(mapping),
    created_at: new Date(),
  });
  await stack.database('webhooks').where({ id }).update({ mapping_revision: 2 });
  return id;
}

test('stores a thousand long alerts of one event', async () => {
  const id = await makeSplitter();
  const one = event(id, {
    long: "it's \u{1F525} ".repeat(2_000),
    items: Array.from({ length: 1_000 }, () => 0),
  });
  await enqueue([one]);
  const receipt = await receiptOf(client, one.id);
  expect(receipt.alertIds).toHaveLength(1_000);
  const alert = await client.get(`/v2/alerts/${receipt.alertIds[999]}`);
  expect(alert.body.data).toMatchObject({ state: 'complete', revision: 2 });
  const { description } = alert.body.data;
  expect(description.endsWith('…')).toBe(true);
  expect(Buffer.byteLength(description)).toBeLessThanOrEqual(16 * 1_024);
});

test('writes events with many large alerts in several parts', async () => {
  const id = await makeSplitter();
  const body = { long: 'x'.repeat(16_000), items: Array.from({ length: 100 }, () => 0) };
  const events = Array.from({ length: 8 }, () => event(id, body));
  const [first, last] = [events[0], events[7]] as [(typeof events)[0], (typeof events)[0]];
  const held = await stack.database.transaction();
  const row = { ...last, request: null, state: 'failed' as const, revision: 0, faults: null };
  await EventRows.of([{ ...row, filter: null, alerts: [], items: [] }]).insert(held);
  await enqueue(events);
  const receipt = await receiptOf(client, first.id);
  expect(receipt.alertIds).toHaveLength(100);
  await held.rollback();
  for (const one of events) expect((await receiptOf(client, one.id)).alertIds).toHaveLength(100);
});

test('deletes expired events, and keeps newer ones', async () => {
  const { id } = await makeWebhook(client);
  const old = Array.from({ length: 30 }, () => ({ ...event(id), receivedAt: Date.now() - 31 * 86_400_000 }));
  const young = event(id);
  await enqueue([...old, young]);
  await receiptOf(client, young.id);
  if (!stack.worker) throw new Error('no worker');
  expect(await runTurn([expireEvents], stack.worker)).toEqual({ 'expire-events': 30 });
  expect((await client.get(`/v2/events/${old[0]?.id}`)).status).toBe(404);
  expect((await client.get(`/v2/events/${young.id}`)).status).toBe(200);
});
