import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const REQUIRED = { severity: { template: '{{webhook.level}}' }, description: { template: 'd' } };
const BEFORE = { fields: { ...REQUIRED, source: { template: '{{webhook.from}}' } } };
const AFTER = { fields: { ...REQUIRED, source: { template: '{{webhook.host}}' } } };
const SPLIT = {
  split: 'items',
  fields: { ...REQUIRED, source: { template: 's' }, title: { template: '{{item}}' } },
};

const NONE = {
  events: 0,
  failed: 0,
  filtered: 0,
  alerts: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  completed: 0,
  removed: 0,
  regrouped: 0,
  changedByLookups: 0,
};

async function save(id: string, mapping: object): Promise<void> {
  const { status, text } = await client.json('PUT', `/v2/webhooks/${id}/mapping`, mapping);
  if (status !== 201) throw new Error(text);
}

/** Creates an integration whose payloads were stored with one mapping, and whose current mapping is another. */
async function remappable(before: object, payloads: readonly unknown[], after: object) {
  const { id } = await makeWebhook(client, { template: null });
  await save(id, before);
  const eventIds = await storePayloads(stack.database, id, payloads);
  await save(id, after);
  return { id, eventIds };
}

/** Runs a remap. Returns its job. */
async function remap(id: string, body: object = {}) {
  const response = await client.json('POST', `/v2/webhooks/${id}/remap`, body);
  expect([response.status, response.headers.get('location')]).toEqual([
    202,
    `/v2/jobs/${response.body.jobId}`,
  ]);
  return (await client.jobEnd(response.body.jobId)).body.data;
}

const alertsOf = async (id: string) =>
  (await client.get(`/v2/alerts?webhookId=${id}&pageSize=1000`)).body.data;

/** Returns every column of an integration's rows. */
const rowsOf = async (id: string) => ({
  events: await stack.database('events').where('webhook_id', toUuidBinary(id)).orderBy('id'),
  alerts: await stack.database('alerts').where('webhook_id', toUuidBinary(id)).orderBy('id'),
});

test('a remap completes incomplete alerts, keeps their ids and updates their revision; a second one changes nothing', async () => {
  const payloads = Array.from({ length: 250 }, (_, i) => ({ level: 'info', host: `h${i}` }));
  const { id } = await remappable(BEFORE, payloads, AFTER);
  const before = await alertsOf(id);
  expect(before[0]).toMatchObject({ state: 'incomplete', revision: 1 });
  const job = await remap(id);
  expect(job).toMatchObject({
    type: 'alert-remap',
    state: 'completed',
    progress: { rowsRead: 250, rowsTotal: 250, percent: 100 },
  });
  expect(job.counts).toEqual({ ...NONE, events: 250, alerts: 250, changed: 250, completed: 250 });
  const after = await alertsOf(id);
  const key = ({ id, receivedAt }: { id: string; receivedAt: string }) => ({ id, receivedAt });
  expect(after.map(key)).toEqual(before.map(key));
  expect(after.at(-1)).toMatchObject({ state: 'complete', revision: 2, source: 'h0', faults: [] });
  const event = await client.get(`/v2/events/${after[0].eventId}`);
  expect(event.body.data).toMatchObject({ revision: 2, state: 'normalized', alertIds: [after[0].id] });
  const stored = await rowsOf(id);
  expect((await remap(id)).counts).toEqual({ ...NONE, events: 250, alerts: 250, unchanged: 250 });
  expect(await rowsOf(id)).toEqual(stored);
});

test('a remap stores the same alerts as the worker does for the same payloads', async () => {
  const payloads = [
    { level: 'info', items: ['a', 'b'] },
    { level: 'x' },
    { items: [] },
    '\u{1F525}',
    { level: 1, items: [null, { a: 'é' }] },
  ];
  const { id } = await remappable(BEFORE, payloads, SPLIT);
  await remap(id);
  const fresh = await makeWebhook(client, { template: null });
  await save(fresh.id, SPLIT);
  await save(fresh.id, BEFORE);
  await save(fresh.id, SPLIT);
  await storePayloads(stack.database, fresh.id, payloads);
  const told = async (webhookId: string) => {
    const { events, alerts } = await rowsOf(webhookId);
    const common = { webhook_id: null, received_at: null, revision: null };
    return {
      events: events.map((row) => ({ ...row, ...common, id: null })),
      alerts: alerts.map((row) => ({
        ...row,
        ...common,
        last_event_at: null,
        id: row.id.toString('hex').slice(-3),
      })),
    };
  };
  expect(await told(id)).toEqual(await told(fresh.id));
});

test('a remap deletes surplus alerts and adds new ones; a dry run counts the same and writes nothing', async () => {
  const payloads = [3, 1, 0].map((count) => ({
    level: 'info',
    items: Array.from({ length: count }, (_, i) => i),
  }));
  const { id, eventIds } = await remappable(SPLIT, payloads, AFTER);
  const stored = await rowsOf(id);
  const counts = { ...NONE, events: 3, alerts: 3, changed: 2, added: 1, removed: 2 };
  expect((await remap(id, { dryRun: true })).counts).toEqual(counts);
  expect(await rowsOf(id)).toEqual(stored);
  expect((await remap(id)).counts).toEqual(counts);
  const first = eventIds.map((eventId) => `${eventId.slice(0, -3)}001`);
  const alerts = await alertsOf(id);
  expect(alerts.map(({ id }: { id: string }) => id)).toEqual(first.toReversed());
  expect((await remap(id, { revision: 1, dryRun: true })).counts).toEqual({
    ...NONE,
    events: 3,
    alerts: 4,
    added: 2,
    changed: 2,
    completed: 2,
    removed: 1,
  });
});

test('maps only events of the given time range, and with onlyIncomplete only incomplete ones', async () => {
  const payloads = Array.from({ length: 10 }, (_, i) =>
    i % 2 ? { level: 'i', from: 'f', host: 'h' } : { level: 'i', host: 'h' },
  );
  const { id } = await remappable(BEFORE, payloads, AFTER);
  const times = (await alertsOf(id)).map(({ receivedAt }: { receivedAt: string }) => receivedAt).toReversed();
  const some = { from: times[2], to: times[6] };
  expect((await remap(id, some)).counts).toMatchObject({ events: 4, changed: 4, completed: 2 });
  const revisions = async () =>
    (await alertsOf(id)).map((alert: { revision: number }) => alert.revision).toReversed();
  expect(await revisions()).toEqual([1, 1, 2, 2, 2, 2, 1, 1, 1, 1]);
  const rest = await remap(id, { onlyIncomplete: true });
  expect(rest.counts).toEqual({ ...NONE, events: 3, alerts: 3, changed: 3, completed: 3 });
  expect(rest.progress).toMatchObject({ rowsRead: 10, rowsTotal: 10 });
  expect(await revisions()).toEqual([2, 1, 2, 2, 2, 2, 2, 1, 2, 1]);
});

test('an event that cannot be mapped keeps its alerts', async () => {
  const payloads = [{ level: 'i', from: 'f', items: Array.from({ length: 10_001 }, () => 0) }];
  const { id, eventIds } = await remappable(BEFORE, payloads, SPLIT);
  const stored = await rowsOf(id);
  expect((await remap(id)).counts).toEqual({ ...NONE, events: 1, failed: 1 });
  expect(await rowsOf(id)).toEqual(stored);
  // An event that failed at first gets its alerts once a mapping fits.
  const { id: other } = await remappable(SPLIT, payloads, AFTER);
  expect((await remap(other, { onlyIncomplete: true })).counts).toMatchObject({ events: 1, added: 1 });
  expect(eventIds).toHaveLength(1);
});

test('an event whose alerts the database rejects stays as it is, and the others are mapped', async () => {
  const payloads = Array.from({ length: 30 }, (_, i) => ({
    level: 'i',
    host: i === 17 ? 'poison' : `h${i}`,
  }));
  const { id } = await remappable(BEFORE, payloads, AFTER);
  await stack.database.raw(`CREATE TRIGGER poison BEFORE UPDATE ON alerts FOR EACH ROW
    BEGIN IF NEW.source = 'poison' THEN SIGNAL SQLSTATE '22001'; END IF; END`);
  const job = await remap(id);
  await stack.database.raw('DROP TRIGGER poison');
  expect(job.counts).toEqual({ ...NONE, events: 30, failed: 1, alerts: 29, changed: 29, completed: 29 });
  expect(job.progress).toMatchObject({ rowsRead: 30 });
  const left = (await alertsOf(id)).filter(({ revision }: { revision: number }) => revision === 1);
  expect(left).toMatchObject([{ state: 'incomplete', source: null }]);
});

test('a remap does not change events of other integrations or rejected events', async () => {
  const { id, eventIds } = await remappable(BEFORE, [{ level: 'i', host: 'h' }, { level: 'i' }], AFTER);
  await stack
    .database('events')
    .where('id', toUuidBinary(eventIds[1] as string))
    .update({ state: 'rejected' });
  const other = await remappable(BEFORE, [{ level: 'i', host: 'h' }], AFTER);
  const stored = await rowsOf(other.id);
  expect((await remap(id)).counts.events).toBe(1);
  expect(await rowsOf(other.id)).toEqual(stored);
});

test('a canceled remap stops between two transactions and keeps what it has written', async () => {
  const payloads = Array.from({ length: 2_000 }, (_, i) => ({ level: 'info', host: `h${i}` }));
  const { id, eventIds } = await remappable(BEFORE, payloads, AFTER);
  const held = await stack.database.transaction();
  await held('events')
    .where('id', toUuidBinary(eventIds[150] as string))
    .forUpdate()
    .select('id');
  const { body } = await client.json('POST', `/v2/webhooks/${id}/remap`, {});
  const done = async () =>
    Number(
      (
        await stack
          .database('alerts')
          .where({ webhook_id: toUuidBinary(id), revision: 2 })
          .count({ n: '*' })
          .first()
      )?.n,
    );
  await until('the first events are mapped', async () => (await done()) === 100);
  const reader = await Client.of(stack, 'webhooks:read', 'developer_records:write');
  expect((await reader.send('POST', `/v2/jobs/${body.jobId}/cancel`)).status).toBe(403);
  const writer = await Client.of(stack, 'webhooks:read', 'webhooks:write');
  expect((await writer.send('POST', `/v2/jobs/${body.jobId}/cancel`)).status).toBe(202);
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await held.commit();
  expect((await writer.get(`/v2/jobs/${body.jobId}`)).status).toBe(200);
  const listed = async (client: Client) => (await client.get('/v2/jobs?pageSize=1')).body.data;
  expect(await listed(writer)).toMatchObject([{ id: body.jobId }]);
  expect(await listed(await Client.of(stack, 'developer_records:read'))).toEqual([]);
  expect((await client.jobEnd(body.jobId)).body.data.state).toBe('canceled');
  expect([200, 300, 400, 500]).toContain(await done());
  const rest = 2_000 - (await done());
  const whole = {
    ...NONE,
    events: 2_000,
    alerts: 2_000,
    changed: rest,
    completed: rest,
    unchanged: 2_000 - rest,
  };
  expect((await remap(id)).counts).toEqual(whole);
});

test('writes events with many large alerts in several transactions', async () => {
  const payloads = Array.from({ length: 8 }, () => ({
    level: 'info',
    long: 'x'.repeat(16_000),
    items: Array.from({ length: 100 }, () => 'a'),
  }));
  const long = { ...SPLIT, fields: { ...SPLIT.fields, description: { template: '{{webhook.long}}' } } };
  const { id, eventIds } = await remappable(BEFORE, payloads, long);
  const held = await stack.database.transaction();
  await held('events')
    .where('id', toUuidBinary(eventIds[7] as string))
    .forUpdate()
    .select('id');
  const { body } = await client.json('POST', `/v2/webhooks/${id}/remap`, {});
  await until('the first event is mapped', async () => {
    const { data } = (await client.get(`/v2/events/${eventIds[0]}`)).body;
    return data.alertIds.length === 100;
  });
  await held.rollback();
  const job = (await client.jobEnd(body.jobId)).body.data;
  expect(job.counts).toEqual({ ...NONE, events: 8, alerts: 800, added: 792, changed: 8, completed: 8 });
});

test('rejects an invalid remap request', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const rejection = async (body: object) => {
    const response = await client.json('POST', `/v2/webhooks/${id}/remap`, body);
    return [response.status, response.body.code];
  };
  expect(await rejection({})).toEqual([400, 'no_mapping']);
  await save(id, AFTER);
  expect(await rejection({ revision: 2 })).toEqual([400, 'unknown_revision']);
  expect(await rejection({ form: '2026-01-01' })).toEqual([400, 'invalid_body']);
  const [from, to] = ['2026-01-02T00:00:00Z', '2026-01-01T00:00:00Z'];
  expect(await rejection({ from, to })).toEqual([400, 'invalid_body']);
  const waited = await client.json('POST', `/v2/webhooks/${id}/remap`, {}, { prefer: 'wait=30' });
  expect([waited.status, waited.body.data.counts]).toEqual([200, NONE]);
});

test('the plan of a dry run is applied once, and not after the mapping or a table has changed', async () => {
  const { id } = await remappable(BEFORE, [{ level: 'info', from: 'f' }], AFTER);
  const apply = (jobId: string, query = '') =>
    client.send('POST', `/v2/jobs/${jobId}/apply${query}`, { headers: { prefer: 'wait=30' } });
  const refusal = async (jobId: string, query = '') => (await apply(jobId, query)).body.code;
  const dryRun = await remap(id, { dryRun: true });
  expect(dryRun.counts).toMatchObject({ events: 1, changed: 1 });
  // An event that came after the dry run is none of its plan.
  await storePayloads(stack.database, id, [{ level: 'info', from: 'later' }], Date.now());
  expect(await refusal(dryRun.id, '?onConflict=abort')).toBe('invalid_query');
  const applied = await apply(dryRun.id);
  expect(applied.body.data).toMatchObject({
    type: 'alert-remap',
    state: 'completed',
    dryRun: false,
    applyOf: dryRun.id,
    counts: dryRun.counts,
  });
  expect(await refusal(dryRun.id)).toBe('already_applied');
  expect(await refusal(applied.body.data.id)).toBe('job_was_not_dry_run');
  expect(await refusal((await remap(id, { dryRun: true, newest: 1 })).id)).toBe('plan_of_draft');

  const outdated = await remap(id, { dryRun: true });
  await save(id, { ...AFTER, lookups: { team: { table: 'teams', key: '{{webhook.from}}' } } });
  expect(await refusal(outdated.id)).toBe('plan_outdated');
  const withTable = await remap(id, { dryRun: true });
  const csv = { 'content-type': 'text/csv', prefer: 'wait=30' };
  const put = await client.send('PUT', '/v2/tables/teams?key=name', {
    headers: csv,
    body: 'name,team\nf,core\n',
  });
  expect(put.status).toBe(200);
  expect((await apply(withTable.id)).body).toMatchObject({
    code: 'plan_outdated',
    message: expect.stringContaining('the lookup table teams has changed since'),
  });
});

test('a dry run lists what would change, also by a mapping that is not saved, of the newest events', async () => {
  const payloads = Array.from({ length: 30 }, (_, i) => ({ level: i % 3 ? 'info' : 'error', from: `f${i}` }));
  const { id, eventIds } = await remappable(BEFORE, payloads, AFTER);
  await save(id, BEFORE);
  const rows = await rowsOf(id);
  const mapping = {
    fields: { ...BEFORE.fields, severity: { template: '{{webhook.level}}', values: { error: 'critical' } } },
  };
  const job = await remap(id, { dryRun: true, mapping, newest: 9 });
  expect(job).toMatchObject({
    state: 'completed',
    dryRun: true,
    counts: { events: 9, changed: 3, unchanged: 6 },
  });
  const lines = (await client.get(job.links.file)).text.trim().split('\n');
  expect(lines[0]).toBe('eventId,alertId,change,field,before,after');
  expect(lines.slice(1).map((line) => line.split(',').toSpliced(1, 1).join(','))).toEqual(
    [21, 24, 27].map((i) => `${eventIds[i]},changed,severity,error,critical`),
  );
  expect(await rowsOf(id)).toEqual(rows);

  const all = await remap(id, { dryRun: true, mapping: { ...mapping, filter: 'webhook.level == "info"' } });
  expect(all.counts).toMatchObject({ events: 30, filtered: 10, removed: 10, unchanged: 20 });
  const { text } = await client.get(all.links.file);
  expect(text.split('\n').filter((line) => line.includes('removed,title'))).toHaveLength(0);
  expect(text.split('\n').filter((line) => line.includes('removed,severity,error,'))).toHaveLength(10);

  const reader = await Client.of(stack, 'webhooks:read');
  expect((await reader.get(job.links.self)).status).toBe(200);
  expect((await reader.get(job.links.file)).status).toBe(403);
  for (const body of [{ mapping }, { newest: 3 }, { dryRun: true, mapping, revision: 1 }])
    expect((await client.json('POST', `/v2/webhooks/${id}/remap`, body)).status).toBe(400);
  const wrong = await client.json('POST', `/v2/webhooks/${id}/remap`, {
    dryRun: true,
    mapping: { fields: { title: { template: '{{' } } },
  });
  expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_mapping']);
});
