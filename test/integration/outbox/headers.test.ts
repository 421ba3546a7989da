import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { Receiver } from '../../support/outbox/receiver.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { theRow } from '../../support/the-row.js';

const SECRET = 'Bearer c2VjcmV0';
let stack: Stack;
let client: Client;
let receiver: Receiver;
let other: Receiver;
beforeAll(async () => {
  [receiver, other] = await Promise.all([Receiver.start(), Receiver.start()]);
  const env = { OUTBOUND_ALLOW: `${receiver.host},${other.host}` };
  stack = await startStack({ env, worker: false });
  client = await Client.of(stack);
});
beforeEach(() => receiver.clear());
afterAll(async () => {
  await stack.stop();
  await Promise.all([receiver.stop(), other.stop()]);
});

const create = (more: object = {}) =>
  client.json('POST', '/v2/destinations', {
    name: 'Receiver',
    preset: 'webhook',
    url: `${receiver.url}/hook`,
    ...more,
  });

async function sentHeaders(id: string) {
  await client.send('POST', `/v2/destinations/${id}/test`);
  return receiver.all.at(-1)?.headers;
}

test('headers of a destination are sent, and their values are stored encrypted and never shown', async () => {
  const made = await create({ headers: { Authorization: SECRET, 'X-Tenant': 'größer' } });
  expect(made.status).toBe(201);
  const { id } = made.body.data;
  expect(made.body.data.headerNames).toEqual(['authorization', 'x-tenant']);
  expect(await sentHeaders(id)).toMatchObject({
    authorization: SECRET,
    'x-tenant': Buffer.from('größer', 'latin1').toString('latin1'),
    'content-type': 'application/json',
    'webhook-signature': expect.stringMatching(/^v1,/),
  });
  const path = `/v2/destinations/${id}`;
  const changed = await client.json('PATCH', path, { headers: { 'x-tenant': null, 'X-More': '1' } });
  expect(changed.body.data.headerNames).toEqual(['authorization', 'x-more']);
  const headers = await sentHeaders(id);
  expect(headers).toMatchObject({ authorization: SECRET, 'x-more': '1' });
  expect(headers).not.toHaveProperty('x-tenant');
  const shown = [made, changed, await client.get(path), await client.get('/v2/destinations')];
  for (const { text } of shown) expect(text).not.toContain(SECRET);
  const row = await theRow(stack.database('destinations').where({ id }));
  expect(JSON.stringify(row)).not.toContain(SECRET);
  expect(row.headers?.includes(SECRET)).toBe(false);
  await client.send('DELETE', path);
  expect((await theRow(stack.database('destinations').where({ id }))).headers).toBeNull();
});

test('headers that Muster sets, that are invalid or that a preset does not send are rejected, without their values', async () => {
  const rejected = async (more: object) => {
    const { status, body, text } = await create(more);
    expect(status).toBe(400);
    expect(text).not.toContain(SECRET);
    expect(body.errors).toMatchObject([{ field: 'headers' }]);
    return body.errors[0].message;
  };
  expect(await rejected({ headers: { 'Content-Type': SECRET } })).toContain('Content-Type');
  expect(await rejected({ headers: { 'x-a': `${SECRET}\r\nhost: b` } })).toContain('without line breaks');
  expect(await rejected({ headers: { 'x-a': SECRET, 'X-A': SECRET } })).toContain('twice');
  expect(await rejected({ preset: 'slack', headers: { 'x-a': SECRET } })).toContain('by this preset');
});

test('headers are not sent to another host until they are given again', async () => {
  const { id } = (await create({ headers: { authorization: SECRET, 'x-tenant': 'a' } })).body.data;
  const change = (json: object) => client.json('PATCH', `/v2/destinations/${id}`, json);
  const url = `${other.url}/hook`;
  const rejected = await change({ url, headers: { 'x-tenant': null } });
  expect(rejected.status).toBe(400);
  expect(rejected.body.errors[0].message).toContain('authorization');
  const invalid = await change({ url: 'not a URL' });
  expect([invalid.status, invalid.body.errors.length, invalid.body.code]).toEqual([400, 1, 'invalid_url']);
  expect((await change({ url: `${receiver.url}/elsewhere` })).status).toBe(200);
  expect(await sentHeaders(id)).toMatchObject({ authorization: SECRET });
  expect((await change({ url, headers: { 'X-Tenant': null, Authorization: 'new' } })).status).toBe(200);
  await client.send('POST', `/v2/destinations/${id}/test`);
  expect(other.all.map(({ path, headers }) => [path, headers.authorization, headers['x-tenant']])).toEqual([
    ['/hook', 'new', undefined],
  ]);
});

test('a routing key is not sent to another host until it is given again', async () => {
  const routing = { preset: 'pagerduty', secret: SECRET };
  const { id } = (await create(routing)).body.data;
  const change = (json: object) => client.json('PATCH', `/v2/destinations/${id}`, json);
  const url = `${other.url}/enqueue`;
  const rejected = await change({ url });
  expect(rejected.status).toBe(400);
  expect(rejected.body.errors).toMatchObject([{ field: 'secret', code: 'invalid_secret' }]);
  expect((await change({ url: `${receiver.url}/enqueue` })).status).toBe(200);
  expect((await change({ url, secret: 'new' })).status).toBe(200);
  await client.send('POST', `/v2/destinations/${id}/test`);
  expect(JSON.parse(other.all.at(-1)?.text ?? '').routing_key).toBe('new');
});

test('a secret is rejected by presets that have none', async () => {
  for (const preset of ['slack', 'alertmanager']) {
    const { status, body, text } = await create({ preset, secret: SECRET });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([{ field: 'secret', message: 'is not taken by this preset' }]);
    expect(text).not.toContain(SECRET);
  }
});
