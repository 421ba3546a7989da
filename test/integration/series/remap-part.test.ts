import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
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

const field = (template: string) => ({ template });
const FIELDS = { severity: field('{{webhook.level}}'), description: field('d'), source: field('s') };
const ALONE = { fields: FIELDS };
const KEYED = {
  fields: { ...FIELDS, dedupKey: field('{{webhook.key}}'), status: field('{{webhook.status}}') },
};
const TITLED = { fields: { ...KEYED.fields, title: field('{{webhook.title}}') } };

const REKEYED = { fields: { ...KEYED.fields, dedupKey: field('{{webhook.key}}!') } };

const payload = (key: string, status: string, more: object = {}) => ({
  key,
  status,
  level: 'high',
  title: 't',
  ...more,
});
const PAYLOADS = [
  payload('disk', 'firing'),
  payload('disk', 'firing'),
  payload('cpu', 'firing', { level: null }),
  payload('disk', 'resolved'),
  payload('disk', 'firing'),
];

async function save(id: string, mapping: object): Promise<void> {
  const { status, text } = await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping);
  if (status !== 201) throw new Error(text);
}

async function integration(mapping: object, payloads: readonly object[] = PAYLOADS) {
  const { id } = await makeWebhook(client, { template: null });
  await save(id, mapping);
  return { id, eventIds: await storePayloads(stack.database, id, payloads) };
}

async function remap(id: string, body: object = {}) {
  const { jobId } = (await client.json('POST', `/v2/webhooks/${id}/remap`, body)).body;
  return (await client.jobEnd(jobId)).body.data;
}

const alertsOf = async (id: string) => (await client.get(`/v2/alerts?webhookId=${id}`)).body.data;
const rowsOf = async (id: string) => {
  const rows = (table: string) => stack.database(table).where('webhook_id', toUuidBinary(id)).orderBy('id');
  return { events: await rows('events'), alerts: await rows('alerts'), series: await rows('series') };
};

test('stand-alone alerts become alerts with a key, and back', async () => {
  const { id, eventIds } = await integration(ALONE);
  const alone = await rowsOf(id);
  await save(id, KEYED);
  const counts = { events: 5, alerts: 5, changed: 5, added: 0, unchanged: 0, removed: 0, regrouped: 5 };
  expect((await remap(id, { dryRun: true })).counts).toMatchObject(counts);
  expect(await rowsOf(id)).toEqual(alone);
  expect((await remap(id)).counts).toMatchObject(counts);
  const [newest, cpu, oldest] = await alertsOf(id);
  expect(newest).toMatchObject({
    dedupKey: 'disk',
    status: 'firing',
    eventCount: 1,
    previousAlertId: oldest.id,
  });
  expect(cpu).toMatchObject({ dedupKey: 'cpu', state: 'incomplete', eventCount: 1 });
  expect(oldest).toMatchObject({ dedupKey: 'disk', status: 'resolved', eventCount: 3, eventId: eventIds[0] });
  const receipt = (await client.get(`/v2/events/${eventIds[1]}`)).body.data;
  expect(receipt).toMatchObject({ alertIds: [oldest.id], outcomes: [{ outcome: 'updated' }] });
  const again = await rowsOf(id);
  expect((await remap(id)).counts).toMatchObject({ unchanged: 5, regrouped: 0 });
  expect(await rowsOf(id)).toEqual(again);

  expect((await remap(id, { revision: 1 })).counts).toMatchObject({ changed: 5, regrouped: 5 });
  expect(await rowsOf(id)).toEqual(alone);
  const timeline = await stack.database('series_alerts').whereIn('alert_id', eventIds.map(toUuidBinary));
  expect(timeline).toEqual([]);
});

test('a part is mapped again if each item keeps its key and status', async () => {
  const { id } = await integration(KEYED);
  await save(id, TITLED);
  const from = (await client.get(`/v2/events?webhookId=${id}`)).body.data[2].receivedAt;
  const job = await remap(id, { from });
  expect(job).toMatchObject({ state: 'completed', counts: { events: 3, changed: 3, regrouped: 0 } });
  // Of the oldest alert, only the end is in the part, which replaces nothing.
  expect((await alertsOf(id)).map(({ title }: { title: string }) => title)).toEqual(['t', 't', null]);
  expect((await remap(id, { onlyIncomplete: true })).counts).toMatchObject({ events: 1, unchanged: 1 });
});

test('the first mapping with a key needs all events: a part is rejected at once and says so, and all are mapped when asked once', async () => {
  const { id, eventIds } = await integration(ALONE);
  await save(id, KEYED);
  const stored = await rowsOf(id);
  const { receivedAt: to } = (await client.get(`/v2/events/${eventIds[3]}`)).body.data;
  for (const part of [{ onlyIncomplete: true }, { to }, { from: to, dryRun: true }]) {
    const { status, body } = await client.json('POST', `/v2/webhooks/${id}/remap`, part);
    expect([status, body.code]).toEqual([409, 'all_events_needed']);
    expect(body.message).toContain('without `onlyIncomplete`, `from` and `to`');
  }
  expect(await rowsOf(id)).toEqual(stored);
  expect(await remap(id)).toMatchObject({ state: 'completed', counts: { events: 5, regrouped: 5 } });
  expect(await remap(id, { onlyIncomplete: true })).toMatchObject({
    state: 'completed',
    counts: { events: 1 },
  });
});

test('of an integration whose events have all failed, a part is enough for the first mapping with a key', async () => {
  const items = Array.from({ length: 10_001 }, () => 0);
  const { id } = await integration({ ...ALONE, split: 'items' }, [payload('disk', 'firing', { items })]);
  await save(id, KEYED);
  expect(await remap(id, { onlyIncomplete: true })).toMatchObject({
    state: 'completed',
    counts: { added: 1 },
  });
});

test('a part whose grouping would change fails before anything is written, also in a dry run', async () => {
  const { id, eventIds } = await integration(KEYED);
  await save(id, REKEYED);
  const stored = await rowsOf(id);
  const { receivedAt: to } = (await client.get(`/v2/events/${eventIds[3]}`)).body.data;
  for (const body of [{ to }, { to, dryRun: true }]) {
    const job = await remap(id, body);
    expect(job).toMatchObject({ state: 'failed', error: { code: 'grouping_changes' } });
    expect(job.error.message).toMatch(
      `3 of 3 events would get another dedupKey or status, first event ${eventIds[0]}.`,
    );
    expect(await rowsOf(id)).toEqual(stored);
  }
  const incomplete = await remap(id, { onlyIncomplete: true });
  expect(incomplete.error.message).toMatch(
    `1 of 5 events would get another dedupKey or status, first event ${eventIds[2]}.`,
  );
  await remap(id);
  const retried = await client.send('POST', `/v2/jobs/${incomplete.id}/retry`);
  expect(retried.status).toBe(202);
  expect((await client.jobEnd(incomplete.id)).body.data).toMatchObject({
    state: 'completed',
    counts: { events: 1 },
  });
});

test('events that had failed are added to the alerts of their keys', async () => {
  const { id } = await integration(KEYED, [payload('disk', 'firing')]);
  await save(id, { ...KEYED, split: 'items' });
  const items = Array.from({ length: 10_001 }, () => 0);
  await storePayloads(stack.database, id, [payload('disk', 'resolved', { items })]);
  expect(await alertsOf(id)).toMatchObject([{ status: 'firing', eventCount: 1 }]);
  await save(id, { ...KEYED, split: null });
  expect(await remap(id, { onlyIncomplete: true })).toMatchObject({
    state: 'completed',
    counts: { events: 1, added: 1, regrouped: 1 },
  });
  expect(await alertsOf(id)).toMatchObject([{ status: 'resolved', eventCount: 2 }]);
});
