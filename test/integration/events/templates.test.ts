import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catalogue, findSource } from '../../../workers/mapping/catalogue/index.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook, receiptOf, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const AT = '/v2/webhook-templates';
const SAMPLE = { probe: { room: 'lab', celsius: 81 }, remark: 'too hot' };
const MAPPING = {
  fields: {
    title: { template: '{{webhook.remark}} in {{webhook.probe.room}}' },
    severity: { template: 'error' },
    description: { template: '{{webhook.probe.celsius}}' },
    source: { template: 'Probe' },
  },
};
const template = (name: string, more: object = {}) => ({ name, mapping: MAPPING, sample: SAMPLE, ...more });
const create = (body: object, headers = {}) => client.json('POST', AT, body, headers);
const recognize = (payload: unknown, more: object = {}) =>
  client.json('POST', `${AT}/recognize`, { payload, ...more });

test('a saved template is listed, read, updated, used for an integration and deleted', async () => {
  const made = await create(template('probe', { title: 'Room probe', description: 'In the lab' }));
  expect([made.status, made.headers.get('location')]).toEqual([201, `${AT}/probe`]);
  const savedBy = { id: expect.any(String), name: expect.any(String) };
  const ownerId = expect.any(String);
  const expected = {
    ...template('probe'),
    title: 'Room probe',
    description: 'In the lab',
    origin: 'saved',
    signature: null,
    resolvingSample: null,
    revision: 1,
    savedBy,
    managedBy: null,
    ownerId,
  };
  expect(made.body.data).toEqual({
    ...expected,
    documentation: null,
    options: null,
    dropInPath: null,
    repeatSeconds: null,
  });
  const read = await client.get(`${AT}/probe`);
  expect(read.body.data).toEqual(made.body.data);
  const list = (await client.get(AT)).body.data;
  expect(list[0]).toEqual(made.body.data);
  expect(list).toHaveLength(catalogue.length + 1);
  const renamed = await client.json('PATCH', `${AT}/probe`, { title: 'Probe', sample: { ...SAMPLE, id: 1 } });
  expect(renamed.body.data).toMatchObject({ title: 'Probe', description: 'In the lab', sample: { id: 1 } });
  const tags = [read, await client.get(`${AT}/probe`), await client.get(`${AT}/probe`)];
  const [before, after, still] = tags.map(({ headers }) => headers.get('etag'));
  expect([typeof before, after === before, still === after]).toEqual(['string', false, true]);
  const webhook = await makeWebhook(client, { template: 'probe' });
  const sent = await sendEvent(stack.url, webhook.path, SAMPLE);
  const { eventId } = (await sent.json()) as { eventId: string };
  const { alertIds } = await receiptOf(client, eventId);
  const alert = await client.get(`/v2/alerts/${alertIds[0]}`);
  expect(alert.body.data).toMatchObject({ title: 'too hot in lab', state: 'complete' });
  expect((await client.send('DELETE', `${AT}/probe`)).status).toBe(204);
  expect((await client.get(`${AT}/probe`)).status).toBe(404);
  expect((await client.get(`/v2/webhooks/${webhook.id}/mapping`)).body.data.mapping).toEqual(MAPPING);
  const late = await client.json('POST', '/v2/webhooks', { name: 'late', template: 'probe' });
  expect([late.status, late.body.code]).toEqual([400, 'unknown_template']);
});

test('a name is unique, and not one of the catalogue', async () => {
  const key = { 'idempotency-key': 'one-template' };
  const first = await create(template('unique'), key);
  expect((await create(template('unique'), key)).body).toEqual(first.body);
  for (const name of ['unique', 'grafana']) {
    const taken = await create(template(name));
    expect([taken.status, taken.body.code]).toEqual([409, 'name_taken']);
  }
  const both = await Promise.all([create(template('both')), create(template('both'))]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  for (const method of ['PATCH', 'DELETE']) {
    const fixed = await client.json(method, `${AT}/grafana`, method === 'PATCH' ? { title: 'x' } : undefined);
    expect([fixed.status, fixed.body.code]).toEqual([409, 'catalogue_template']);
    const none = await client.json(method, `${AT}/nothing`, method === 'PATCH' ? { title: 'x' } : undefined);
    expect(none.status).toBe(404);
  }
});

test('rejects invalid templates with all errors', async () => {
  const wrong = await create({ name: 'No Spaces', title: '', description: 'x'.repeat(1_001), extra: 1 });
  expect([wrong.status, wrong.body.errorCount]).toEqual([400, 6]);
  expect(wrong.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(
    ['description', 'extra', 'mapping', 'name', 'sample', 'title'].sort(),
  );
  const mapping = { fields: { title: { template: '{{webhook.a' }, severity: { template: '{{x}}' } } };
  const uncompiled = await create(template('uncompiled', { mapping }));
  expect([uncompiled.status, uncompiled.body.code, uncompiled.body.errorCount]).toEqual([
    422,
    'invalid_mapping',
    2,
  ]);
  const large = await create(template('large', { sample: { text: 'x'.repeat(64 * 1024) } }));
  expect(large.body.errors).toMatchObject([
    { field: 'sample', message: 'must have at most 65,536 bytes as JSON' },
  ]);
  const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`);
  expect((await create(template('deep', { sample: deep }))).body.errors[0].field).toBe('sample');
  expect((await create(template('huge', { sample: 'x'.repeat(600_000) }))).status).toBe(413);
  expect((await client.json('PATCH', `${AT}/unique`, {})).status).toBe(400);
  expect((await client.json('PATCH', `${AT}/unique`, { mapping })).status).toBe(422);
  const reader = await Client.of(stack, 'webhooks:read');
  expect((await reader.json('POST', AT, template('read'))).status).toBe(403);
  expect((await reader.json('POST', `${AT}/recognize`, { payload: {} })).status).toBe(403);
  expect((await reader.get(`${AT}/grafana`)).status).toBe(200);
});

test('saved templates have a limit in all', async () => {
  const text = 'x'.repeat(60_000);
  const responses = [];
  for (let number = 0; number < 80; number++) {
    responses.push(await create(template(`many-${number}`, { sample: { text } })));
    if (responses.at(-1)?.status !== 201) break;
  }
  expect(responses.at(-1)).toMatchObject({ status: 409, body: { code: 'too_many_templates' } });
  expect(responses.length).toBeGreaterThan(60);
  const { length } = responses;
  expect((await client.get(`${AT}/many-${length - 1}`)).status).toBe(404);
  await stack.database('saved_templates').delete();
});

test('recognizes the payload of a source, with the alerts that its template makes of it', async () => {
  const { status, body } = await recognize(findSource('grafana')?.sample);
  expect([status, body.data.recognized]).toEqual([200, 'grafana']);
  const [best, next] = body.data.candidates;
  expect(best).toMatchObject({ name: 'grafana', title: 'Grafana Alerting', origin: 'catalogue' });
  expect([best.matchedPaths, best.score > next.score]).toEqual([best.requiredPaths, true]);
  expect(body.data.alerts[0].fields.title).toMatchObject({ value: 'Checkout is slow', result: 'resolved' });
  const request = { headers: { 'user-agent': 'Grafana' }, query: { env: ['a', 'b'] } };
  expect((await recognize(findSource('grafana')?.sample, { request })).status).toBe(200);
});

test('recognizes a saved template as soon as it is saved, updated or deleted', async () => {
  const payload = { probe: { room: 'attic', celsius: 70 }, remark: 'hot' };
  await create(template('sensor'));
  const found = (await recognize(payload)).body.data;
  expect(found.recognized).toBe('sensor');
  expect(found.candidates[0]).toMatchObject({ name: 'sensor', origin: 'saved', matchedPaths: 3 });
  expect(found.alerts[0].fields.title.value).toBe('hot in attic');
  await client.json('PATCH', `${AT}/sensor`, { sample: { other: 1 } });
  expect((await recognize(payload)).body.data.recognized).not.toBe('sensor');
  await client.send('DELETE', `${AT}/sensor`);
  await stack.database('saved_templates').delete();
  expect((await recognize(payload)).body.data).toEqual({ recognized: null, candidates: [], alerts: [] });
});

test('rejects a request to recognize without a payload, too large or too deep', async () => {
  expect((await client.json('POST', `${AT}/recognize`, {})).body.errors[0].field).toBe('payload');
  expect((await recognize('x'.repeat(1024 * 1024))).status).toBe(413);
  expect((await recognize(JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`))).body.code).toBe('too_deep');
  expect((await recognize(null)).body.data.recognized).toBe(null);
});
