import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toUuidBinary } from '../../../db/bulk/uuid-binary.js';
import { catalogue } from '../../../workers/mapping/catalogue/index.js';
import { Client } from '../../support/api/client.js';
import { storePayloads } from '../../support/api/stored-events.js';
import { ALERT, makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
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
    severity: { template: '{{webhook.level}}', values: { page: 'critical' } },
    description: { template: '{{webhook.text}}', default: 'nothing said' },
    source: { template: 'Test' },
  },
};
const titled = (title: string) => ({ fields: { ...MAPPING.fields, title: { template: title } } });

const put = (id: string, body: unknown, headers = {}) =>
  client.json('PUT', `/v2/webhooks/${id}/mapping`, body, headers);
const preview = (id: string, body: unknown) => client.json('POST', `/v2/webhooks/${id}/preview`, body);

/** Sends payloads one by one, and waits until each is stored. Returns the ids of the events. */
async function send(path: string, ...payloads: unknown[]): Promise<string[]> {
  const ids: string[] = [];
  for (const payload of payloads) {
    const { eventId } = (await (await sendEvent(stack.url, path, payload)).json()) as { eventId: string };
    await receiptOf(client, eventId);
    ids.push(eventId);
  }
  return ids;
}

test('saves a mapping as the next revision, and an older revision as the newest', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const at = `/v2/webhooks/${id}/mapping`;
  expect((await client.get(at)).status).toBe(404);
  const first = await put(id, MAPPING);
  expect([first.status, first.headers.get('location')]).toEqual([201, `${at}/revisions/1`]);
  expect(first.body.data).toMatchObject({ revision: 1, current: true, mapping: MAPPING });
  expect((await put(id, titled('second'))).body.data.revision).toBe(2);
  const back = await put(id, { revision: 1 });
  expect([back.status, back.body.data.revision, back.body.data.mapping]).toEqual([201, 3, MAPPING]);
  const { warnings, ...saved } = back.body.data;
  expect((await client.get(at)).body.data).toEqual(saved);
  expect(warnings).toEqual([]);
  expect((await client.get(`/v2/webhooks/${id}`)).body.data.mappingRevision).toBe(3);
  const [old, none] = [await client.get(`${at}/revisions/1`), await client.get(`${at}/revisions/9`)];
  expect(old.body.data).toMatchObject({ revision: 1, current: false, mapping: MAPPING });
  expect(none.status).toBe(404);
  const page = await client.get(`${at}/revisions?pageSize=2`);
  expect(page.body.data).toMatchObject([
    { revision: 3, current: true },
    { revision: 2, current: false },
  ]);
  const rest = await client.get(`${at}/revisions?pageSize=2&cursor=${page.body.page.nextCursor}`);
  expect([rest.body.data.length, rest.body.data[0].revision, rest.body.page.nextCursor]).toEqual([
    1,
    1,
    null,
  ]);
});

test('a mapping that equals the current revision creates no new one', async () => {
  const { id } = await makeWebhook(client, { template: null });
  await put(id, MAPPING);
  const { source, ...others } = MAPPING.fields;
  const same = await put(id, { fields: { source, ...others } });
  expect([same.status, same.body.data.revision]).toEqual([200, 1]);
});

test('a status without a deduplication key is saved, with a warning', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const status = { template: '{{webhook.state}}' };
  const warning = { field: 'fields.status', code: 'status_without_dedup_key' };
  const saved = await put(id, { fields: { status } });
  expect([saved.status, saved.body.data.warnings]).toMatchObject([201, [warning]]);
  const tried = await preview(id, { payload: { state: 'ok' } });
  expect(tried.body.data.warnings).toMatchObject([warning]);
  expect(tried.body.data.alerts[0].fields.status).toMatchObject({ value: 'resolved', result: 'resolved' });
  const keyed = await put(id, { fields: { status, dedupKey: { template: '{{webhook.id}}' } } });
  expect(keyed.body.data.warnings).toEqual([]);
});

test('saving twice with the same Idempotency-Key creates one revision', async () => {
  const { id } = await makeWebhook(client);
  const key = { 'idempotency-key': 'one-save' };
  const [first, again] = [await put(id, MAPPING, key), await put(id, MAPPING, key)];
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect((await put(id, titled('other'), key)).body.code).toBe('idempotency_key_reused');
});

test('concurrent saves create separate revisions', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const responses = await Promise.all([1, 2, 3, 4, 5].map((n) => put(id, titled(`number ${n}`))));
  expect(responses.map(({ body }) => body.data.revision).sort()).toEqual([1, 2, 3, 4, 5]);
});

test('rejects an invalid mapping with all its errors and their positions', async () => {
  const { id } = await makeWebhook(client);
  const wrong = {
    split: 'item.x',
    fields: { title: { template: 'a\n{{#webhook.list}} b' }, severity: { template: '{{level}}' } },
  };
  for (const response of [await put(id, wrong), await preview(id, { mapping: wrong, payload: {} })]) {
    expect([response.status, response.body.code, response.body.errorCount]).toEqual([
      422,
      'invalid_mapping',
      3,
    ]);
    expect(response.body.errors).toMatchObject([
      { field: 'split', code: 'bad_path' },
      { field: 'fields.title.template', line: 2, column: expect.any(Number) },
      { field: 'fields.severity.template', line: 1, column: expect.any(Number) },
    ]);
  }
  const strange = await put(id, { fields: { colour: { template: 'x' } } });
  expect([strange.status, strange.body.errors[0].code]).toEqual([422, 'invalid_mapping']);
  expect((await client.get(`/v2/webhooks/${id}`)).body.data.mappingRevision).toBe(1);
});

test('responds with 403 without the scope, and with an error to unknown revisions and integrations', async () => {
  const { id } = await makeWebhook(client);
  const reader = await Client.of(stack, 'webhooks:read');
  expect((await reader.json('PUT', `/v2/webhooks/${id}/mapping`, MAPPING)).status).toBe(403);
  expect((await reader.json('POST', `/v2/webhooks/${id}/preview`, { last: 1 })).status).toBe(403);
  expect((await reader.json('POST', `/v2/webhooks/${id}/remap`, {})).status).toBe(403);
  expect((await reader.get(`/v2/webhooks/${id}/mapping`)).status).toBe(200);
  expect((await put(id, { revision: 7 })).body.code).toBe('unknown_revision');
  expect((await put(id, ' '.repeat(300_000))).status).toBe(413);
  const nobody = '01a1f89d-7a9c-710a-951d-f86812498000';
  expect((await put(nobody, MAPPING)).status).toBe(404);
  expect((await preview(nobody, { last: 1 })).status).toBe(404);
});

test('a preview of stored events also needs alerts:read', async () => {
  const { id } = await makeWebhook(client);
  const writer = await Client.of(stack, 'webhooks:write');
  const at = `/v2/webhooks/${id}/preview`;
  for (const subject of [{ last: 1 }, { eventIds: ['01a1f89d-7a9c-710a-951d-f86812498000'] }]) {
    const rejected = await writer.json('POST', at, subject);
    expect([rejected.status, rejected.body.code]).toEqual([403, 'missing_scope']);
    expect(rejected.body.message).toBe('This API key lacks the scope alerts:read.');
  }
  expect((await writer.json('POST', at, { payload: ALERT })).status).toBe(200);
});

test('a preview shows how each field was filled, and the fields that templates can use', async () => {
  const { id } = await makeWebhook(client, { template: null });
  await put(id, MAPPING);
  const { status, body } = await preview(id, { payload: { nam: 'disk', level: 'PAGE', big: 1 } });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ revision: 1, alertCount: 1, comparison: null, truncated: false });
  expect(body.data.alerts).toHaveLength(1);
  const [alert] = body.data.alerts;
  expect(alert).toMatchObject({ eventId: null, item: 0, state: 'complete', custom: {}, faults: [] });
  expect(alert.fields.title).toEqual({
    value: null,
    result: 'missing',
    paths: ['webhook.name'],
    missing: [{ path: 'webhook.name', nearest: 'webhook.nam' }],
    warnings: [],
  });
  expect(alert.fields.severity).toMatchObject({ value: 'critical', result: 'resolved' });
  expect(alert.fields.description).toMatchObject({ value: 'nothing said', result: 'defaulted' });
  expect(body.data.fields.nodes).toContainEqual({
    path: 'webhook.level',
    type: 'text',
    sample: 'PAGE',
    pickable: true,
  });
});

test('a field may have an expression, and its errors have positions', async () => {
  const { id } = await makeWebhook(client, { template: null });
  const wrong = { fields: { severity: { expression: 'webhook.a > 1 ?\n  high : "low"' } } };
  const rejected = await put(id, wrong);
  expect([rejected.status, rejected.body.errors]).toMatchObject([
    422,
    [{ field: 'fields.severity.expression', code: 'unknown_name', line: 2, column: 3 }],
  ]);
  const severity = { expression: 'webhook.a > 1 ? "error" : "warning"', default: 'info' };
  expect((await put(id, { fields: { severity, title: { expression: 'webhook.a' } } })).status).toBe(201);
  const severityOf = async (payload: object) =>
    (await preview(id, { payload })).body.data.alerts[0].fields.severity;
  expect(await severityOf({ a: 2 })).toMatchObject({ value: 'error', result: 'resolved' });
  expect(await severityOf({ b: 2 })).toMatchObject({ value: 'info', missing: [{ path: 'webhook.a' }] });
  expect(await severityOf({ a: 'text' })).toMatchObject({
    value: 'info',
    warnings: [{ code: 'expression_error' }],
  });
});

test('a preview requires exactly one of payload, eventIds and last', async () => {
  const { id, path } = await makeWebhook(client);
  const other = await makeWebhook(client);
  const [foreign] = await send(other.path, ALERT);
  for (const body of [{}, { payload: {}, last: 1 }, { last: 0 }, { last: 101 }, { eventIds: [] }]) {
    expect((await preview(id, body)).body.code).toBe('invalid_body');
  }
  await sendEvent(stack.url, path, 'no JSON');
  const unknown = await preview(id, { eventIds: [foreign] });
  expect([unknown.status, unknown.body.errors[0]]).toEqual([
    400,
    {
      index: 0,
      field: 'eventIds',
      code: 'unknown_event',
      message: `must be stored events of this integration; ${foreign} is not`,
    },
  ]);
  const deep = `{"payload":${'['.repeat(65)}${']'.repeat(65)}}`;
  expect((await preview(id, deep)).body.code).toBe('too_deep');
  expect((await preview(id, `{"payload":${'['.repeat(64)}${']'.repeat(64)}}`)).status).toBe(200);
  expect((await preview(id, { last: 5 })).body.data).toMatchObject({ events: [], alerts: [], fields: null });
});

const STORED = [
  { name: 'a', level: 'page', text: 'one', n: 12345678901234567890n },
  { name: 'b', level: 'odd', list: [{ k: 1 }, {}] },
  {
    Type: 'SubscriptionConfirmation',
    TopicArn: 'arn:t',
    Token: 't',
    SubscribeURL: 'https://sns.example/?a=1',
  },
].map((payload) =>
  JSON.stringify(payload, (_, value) => (typeof value === 'bigint' ? `BIG${value}` : value)),
);

/** Returns results of a preview as an alert has them, which names the event that each comes from. */
const from = (results: Record<string, object>, eventId: string) =>
  Object.fromEntries(Object.entries(results).map(([name, result]) => [name, { ...result, eventId }]));

test.each(STORED.map((text) => text.replace(/"BIG(\d+)"/, '$1')))(
  'a preview shows what the worker stores: %s',
  async (payload) => {
    const mapping = {
      ...MAPPING,
      custom: { number: { template: '{{webhook.n}}' }, list: { template: '{{webhook.list}}' } },
    };
    const { id, path } = await makeWebhook(client, { template: null });
    await put(id, mapping);
    const [eventId = ''] = await send(path, payload);
    const { alertIds } = await receiptOf(client, eventId);
    const stored = (await client.get(`/v2/alerts/${alertIds[0]}`)).body.data;
    for (const subject of [`"payload":${payload}`, `"eventIds":["${eventId}"]`, '"last":1']) {
      const { alerts } = (await preview(id, `{${subject}}`)).body.data;
      expect(alerts).toHaveLength(1);
      const [{ state, fields, custom, faults }] = alerts;
      expect(state).toBe(stored.state);
      expect({ fields: from(fields, eventId), custom: from(custom, eventId) }).toEqual(stored.results);
      for (const field of Object.keys(fields)) expect(fields[field].value).toBe(stored[field]);
      const values = Object.entries(custom as Record<string, { value: string | null }>);
      expect(
        Object.fromEntries(values.flatMap(([k, { value }]) => (value === null ? [] : [[k, value]]))),
      ).toEqual(stored.custom);
      expect(faults).toMatchObject(stored.faults);
    }
  },
);

test('shows the link of an SNS confirmation as text', async () => {
  const { id } = await makeWebhook(client);
  const { alerts } = (await preview(id, `{"payload":${STORED[2]}}`)).body.data;
  expect(alerts[0].fields.description.value).toContain('Link: https://sns.example/?a=1');
});

test('a preview of several events has fill rates, unmapped values, vanished paths and a comparison', async () => {
  const { id, path } = await makeWebhook(client, { template: null });
  await put(id, MAPPING);
  const payloads = [
    { name: 'a', level: 'page', text: 'one' },
    { name: 'b', level: 'odd', text: 'two' },
    { name: 'c', level: 'odd' },
    { name: 'd', level: 'strange' },
  ];
  const ids = await send(path, ...payloads);
  const { data } = (await preview(id, { last: 100 })).body;
  expect(data.events.map(({ eventId }: { eventId: string }) => eventId)).toEqual(ids.toReversed());
  expect(data.statistics).toMatchObject({ events: 4, failed: 0, alerts: 4, complete: 4 });
  expect(data.statistics.fields.description).toEqual({
    resolved: 2,
    defaulted: 2,
    missing: 0,
    fillRate: 0.5,
    unmapped: [],
    warnings: {},
  });
  expect(data.statistics.fields.severity.unmapped).toEqual([
    { value: 'odd', count: 2 },
    { value: 'strange', count: 1 },
  ]);
  expect(data.statistics.vanished).toEqual([
    { field: 'description', path: 'webhook.text', lastSeen: ids[1], missingSince: 2 },
  ]);
  const compared = (await preview(id, { mapping: titled('{{webhook.level}}!'), eventIds: ids.slice(0, 1) }))
    .body.data;
  expect([compared.revision, compared.comparison]).toEqual([
    null,
    [
      {
        eventId: ids[0],
        alerts: [
          {
            item: 0,
            before: 'complete',
            after: 'complete',
            changes: [{ field: 'title', before: 'a', after: 'page!' }],
          },
        ],
      },
    ],
  ]);
});

test('truncates a large preview and sets `truncated`', async () => {
  const { id } = await makeWebhook(client);
  const mapping = { split: 'list', fields: { title: { template: '{{item}}' } } };
  const { data } = (
    await preview(id, { mapping, payload: { list: Array.from({ length: 1_000 }, (_, i) => i) } })
  ).body;
  expect([data.alerts.length, data.alertCount, data.truncated]).toEqual([100, 1_000, true]);
  expect(data.comparison[0].alerts).toHaveLength(100);
});

test('the catalogue lists every source with its documentation, sample and mapping', async () => {
  const { data } = (await client.get('/v2/webhook-templates')).body;
  expect(data).toHaveLength(catalogue.length);
  const { id } = await makeWebhook(client, { template: null });
  for (const { name, title, documentation, sample, mapping } of data) {
    expect([typeof name, typeof title, documentation]).toEqual([
      'string',
      'string',
      expect.stringMatching(/^https:/),
    ]);
    const made = await preview(id, { mapping, payload: sample });
    expect([name, made.body.data.events[0].eventState]).toEqual([name, 'normalized']);
  }
});

test('concurrent previews each get their own result, even if others fail', async () => {
  const { id } = await makeWebhook(client);
  const bodies = Array.from({ length: 8 }, (_, i) =>
    i % 4 === 3 ? { last: 0 } : { payload: { alert: { name: `n${i}` } } },
  );
  const responses = await Promise.all(bodies.map((body) => preview(id, body)));
  const titles = responses.map(({ body }) => body.data?.alerts[0].fields.title.value ?? body.code);
  expect(titles).toEqual(['n0', 'n1', 'n2', 'invalid_body', 'n4', 'n5', 'n6', 'invalid_body']);
});

test('a preview treats an event that is not UTF-8 as not JSON, like the worker', async () => {
  const { id } = await makeWebhook(client);
  const [eventId] = await storePayloads(stack.database, id, ['text']);
  const raw = Buffer.from([0x22, 0xff, 0x22]);
  await stack
    .database('events')
    .where('id', toUuidBinary(eventId as string))
    .update({ raw });
  const { data } = (await preview(id, { last: 1 })).body;
  expect(data).toMatchObject({
    alerts: [],
    fields: null,
    events: [{ eventId, eventState: 'failed', faults: [{ code: 'not_json' }] }],
    statistics: { events: 1, failed: 1, alerts: 0 },
  });
});
