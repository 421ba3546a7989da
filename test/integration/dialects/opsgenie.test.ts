import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { KeyOrder } from '../../../api/intake/key-order.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook, type TestWebhook } from '../../support/api/webhooks.js';
import { type Asked, ask, type Received, tokenOf } from '../../support/dialects/conformance.js';
import { withoutRedis } from '../../support/dialects/without-redis.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let client: Client;
let webhook: TestWebhook;
let key: string;
let auth: { authorization: string };
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client, { template: 'opsgenie-api' });
  key = tokenOf(webhook.path);
  auth = { authorization: `GenieKey ${key}` };
});
afterAll(() => stack.stop());

const OTHER_KEY = 'x'.repeat(32);
const took = { took: expect.any(Number), requestId: expect.stringMatching(/^.{36}$/) };
const QUEUED = { result: 'Request will be processed', ...took };
const NO_AUTH = { message: 'Could not authenticate', ...took };
const invalid = (errors: Record<string, string>) => ({
  message: 'Request body is not processable. Please check the errors.',
  errors,
  ...took,
});
const message = (text: string) => ({ message: text, ...took });
const EMPTY = 'may not be empty';
const genie = (method: string, path: string, body?: unknown) => (): Asked => ({
  ...{ method, path, headers: auth },
  ...(body === undefined ? {} : { body }),
});
const door = (method: string, path: string, body?: unknown) => (): Asked => ({
  ...{ method, path: webhook.path + path },
  ...(body === undefined ? {} : { body }),
});
const A = '/v2/alerts/a?identifierType=alias';
const at = (segment: string) => `/v2/alerts/a/${segment}?identifierType=alias`;
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** Endpoint × case × response. */
const CONFORMANCE: readonly [what: string, asked: () => Asked, status: number, body: object][] = [
  ['create', genie('POST', '/v2/alerts', { message: 'm', alias: 'a' }), 202, QUEUED],
  ['create with a slash', genie('POST', '/v2/alerts/', { message: 'm', alias: 'a' }), 202, QUEUED],
  ['create at the door', door('POST', '/v2/alerts', { message: 'm' }), 202, QUEUED],
  [
    'create with nulls, numbers and objects',
    genie('POST', '/v2/alerts', { message: 'm', alias: null, details: { a: 1, b: null, c: { d: [] } } }),
    202,
    QUEUED,
  ],
  [
    'create with long texts',
    genie('POST', '/v2/alerts', {
      message: 'm'.repeat(2_000),
      alias: 'a'.repeat(512),
      tags: Array(50).fill('t'.repeat(99)),
    }),
    202,
    QUEUED,
  ],
  [
    'create with the key of JSM',
    () => ({ path: '/jsm/ops/integration/v2/alerts', headers: auth, body: { message: 'm' } }),
    202,
    QUEUED,
  ],
  [
    'create with the JSM API',
    () => ({
      path: '/jsm/ops/api/cloud/v1/alerts',
      headers: { authorization: basic(`me@example.com:${key}`) },
      body: { message: 'm' },
    }),
    202,
    QUEUED,
  ],
  [
    'the key as Basic',
    () => ({ path: '/v2/alerts', headers: { authorization: basic(key) }, body: { message: 'm' } }),
    202,
    QUEUED,
  ],
  ['the key in the query', () => ({ path: `/v2/alerts?apiKey=${key}`, body: { message: 'm' } }), 202, QUEUED],
  ['no message', genie('POST', '/v2/alerts', { message: ' ' }), 422, invalid({ message: EMPTY })],
  [
    'another priority',
    genie('POST', '/v2/alerts', { message: 'm', priority: 'high' }),
    422,
    invalid({ priority: 'should be one of [ P1, P2, P3, P4, P5 ]' }),
  ],
  ['no JSON', genie('POST', '/v2/alerts', '{'), 400, message(expect.stringContaining('JSON') as never)],
  ['a list', genie('POST', '/v2/alerts', '[]'), 400, message('The body is not a JSON object.')],
  [
    'a large body',
    genie('POST', '/v2/alerts', { message: 'x'.repeat(1_100_000) }),
    413,
    message('The body exceeds the limit of 1048576 bytes.'),
  ],
  ['no key', () => ({ path: '/v2/alerts', body: { message: 'm' } }), 401, NO_AUTH],
  [
    'an empty key',
    () => ({ path: '/v2/alerts', headers: { authorization: 'GenieKey' }, body: { message: 'm' } }),
    401,
    NO_AUTH,
  ],
  [
    'an unknown key',
    () => ({
      path: '/v2/alerts',
      headers: { authorization: `GenieKey ${OTHER_KEY}` },
      body: { message: 'm' },
    }),
    401,
    NO_AUTH,
  ],
  [
    'an unknown key at the door',
    () => ({ path: `/api/v1/webhook/${OTHER_KEY}/v2/alerts`, body: { message: 'm' } }),
    401,
    NO_AUTH,
  ],
  ['close', genie('POST', at('close'), {}), 202, QUEUED],
  ['close without a body', genie('POST', at('close')), 202, QUEUED],
  ['close of an unknown alias', genie('POST', '/v2/alerts/none/close?identifierType=alias', {}), 202, QUEUED],
  [
    'close by JSM',
    () => ({ path: '/jsm/ops/integration/v2/alerts/a/close/?identifierType=alias', headers: auth }),
    202,
    QUEUED,
  ],
  ['acknowledge', genie('POST', at('acknowledge'), { user: 'Kim' }), 202, QUEUED],
  ['unacknowledge', genie('POST', at('unacknowledge'), {}), 202, QUEUED],
  ['snooze', genie('POST', at('snooze'), { endTime: '2030-01-01T00:00:00Z' }), 202, QUEUED],
  ['snooze without an end', genie('POST', at('snooze'), {}), 422, invalid({ endTime: EMPTY })],
  ['assign', genie('POST', at('assign'), { owner: { username: 'kim@example.com' } }), 202, QUEUED],
  ['assign to nobody', genie('POST', at('assign'), {}), 422, invalid({ owner: EMPTY })],
  ['escalate', genie('POST', at('escalate'), { escalation: { name: 'e' } }), 202, QUEUED],
  [
    'add a responder',
    genie('POST', at('responders'), { responder: { type: 'team', name: 't' } }),
    202,
    QUEUED,
  ],
  ['add a team', genie('POST', at('teams'), { team: { name: 't' } }), 202, QUEUED],
  ['add a note', genie('POST', at('notes'), { note: 'n' }), 202, QUEUED],
  ['add no note', genie('POST', at('notes'), {}), 422, invalid({ note: EMPTY })],
  ['add tags', genie('POST', at('tags'), { tags: ['t'] }), 202, QUEUED],
  ['remove tags', genie('DELETE', `${at('tags')}&tags=t,u`), 202, QUEUED],
  ['remove no tags', genie('DELETE', at('tags')), 422, invalid({ tags: EMPTY })],
  ['add details', genie('POST', at('details'), { details: { a: 'b' } }), 202, QUEUED],
  ['remove details', genie('DELETE', `${at('details')}&keys=a`), 202, QUEUED],
  ['update the priority', genie('PUT', at('priority'), { priority: 'P1' }), 202, QUEUED],
  [
    'update the priority to another',
    genie('PUT', at('priority'), { priority: '1' }),
    422,
    invalid({ priority: 'should be one of [ P1, P2, P3, P4, P5 ]' }),
  ],
  [
    'an alias that is an object',
    genie('POST', '/v2/alerts', { message: 'm', alias: { toString: 1 } }),
    422,
    invalid({ alias: 'should be a string' }),
  ],
  [
    'a priority that is an object',
    genie('POST', '/v2/alerts', { message: 'm', priority: { toString: 1 } }),
    422,
    invalid({ priority: 'should be one of [ P1, P2, P3, P4, P5 ]' }),
  ],
  ['close without a key', () => ({ path: at('close'), body: {} }), 401, NO_AUTH],
  ['delete without a key', () => ({ method: 'DELETE', path: A }), 401, NO_AUTH],
  ['update the message', genie('PUT', at('message'), { message: 'n' }), 202, QUEUED],
  ['update the description', genie('PUT', at('description'), { description: 'd' }), 202, QUEUED],
  ['a custom action', genie('POST', at('actions/Rebuild it'.replace(' ', '%20')), {}), 202, QUEUED],
  ['delete', genie('DELETE', `${A}&user=Kim`), 202, QUEUED],
  [
    'another type of identifier',
    genie('POST', '/v2/alerts/a/close?identifierType=name'),
    422,
    invalid({ identifierType: 'should be one of [ id, alias, tiny ]' }),
  ],
  [
    'another action',
    genie('POST', '/v2/alerts/a/merge', {}),
    405,
    message("Request method 'POST' not supported"),
  ],
  ['another method', genie('PATCH', '/v2/alerts', {}), 405, message("Request method 'PATCH' not supported")],
  ['another API', genie('GET', '/v2/teams'), 404, message('This path does not exist.')],
  [
    'another API at the door',
    () => ({ ...door('POST', '/v2/policies', {})(), headers: auth }),
    404,
    message('This path does not exist.'),
  ],
  [
    'attachments',
    genie('POST', '/v2/alerts/a/attachments', {}),
    405,
    message("Request method 'POST' not supported"),
  ],
  [
    'get an unknown alert',
    genie('GET', '/v2/alerts/none?identifierType=alias'),
    404,
    message('Alert not found'),
  ],
  [
    'an unknown request',
    genie('GET', '/v2/alerts/requests/none'),
    404,
    message('Request not found. It might not be processed, yet.'),
  ],
  [
    'a query that is not supported',
    genie('GET', '/v2/alerts?query=tag%3Ax'),
    422,
    invalid({ query: 'only `alias: …` and `status: open` or `closed` are supported' }),
  ],
  ['v1', () => ({ path: '/v1/json/alert', body: { apiKey: key } }), 401, NO_AUTH],
  [
    'v1 with a key',
    () => ({ path: `/v1/json/alert?apiKey=${key}`, body: { message: 'm' } }),
    410,
    message('Version 1 of this API was replaced: use /v2/alerts.'),
  ],
  ['a product of its own', () => ({ path: `/v1/json/sumologic?apiKey=${key}`, body: { a: 1 } }), 202, QUEUED],
];

describe('the Alert API', () => {
  test.each(CONFORMANCE)('%s', async (_, asked, status, body) => {
    const received = await ask(stack, asked());
    expect(received.body).toEqual(body);
    expect(received.status).toBe(status);
    expect(received.body.took).toBeGreaterThan(0);
    expect(received.headers.location).toBeUndefined();
    expect(received.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': received.body.requestId,
      'x-response-time': expect.stringMatching(/^\d+\.\d{3}$/),
      'x-ratelimit-state': 'OK',
    });
  });
});

const send = async (method: string, path: string, body?: unknown): Promise<Received> =>
  ask(stack, genie(method, path, body)());
const create = (alias: string, more: object = {}) =>
  send('POST', '/v2/alerts', { message: 'Disk full', alias, priority: 'P2', ...more });
const act = (method: string, alias: string, segment: string, body: object = {}) =>
  send(method, `/v2/alerts/${encodeURIComponent(alias)}/${segment}?identifierType=alias`, body);
const statusOf = async ({ body }: Received) =>
  (await send('GET', `/v2/alerts/requests/${body.requestId}`)).body.data;
const alertOf = async (alias: string) =>
  (await send('GET', `/v2/alerts/${encodeURIComponent(alias)}?identifierType=alias`)).body.data;

test('the status of a request waits until a worker has processed it, 25 times without a pause', async () => {
  const requests = [await create('fast'), await act('POST', 'fast', 'acknowledge')];
  const statuses = [];
  for (let i = 0; i < 25; i++) statuses.push(await statusOf(requests[i % 2] as Received));
  const common = { success: true, isSuccess: true, integrationId: webhook.id, alias: 'fast' };
  expect(statuses[0]).toMatchObject({ ...common, action: 'Create', status: 'Created alert' });
  expect(statuses[1]).toMatchObject({ ...common, action: 'Acknowledge', status: 'Acknowledged alert' });
  expect(new Set(statuses.map(({ alertId }) => alertId)).size).toBe(1);
  expect(statuses[0].alertId).toMatch(/^.{36}$/);
});

test('a status that is not stored within the wait says so in a header, and a close by its id is to be sent again', async () => {
  const idle = await startStack({ worker: false });
  const own = await makeWebhook(await Client.of(idle), { template: 'opsgenie-api' });
  const headers = { authorization: `GenieKey ${tokenOf(own.path)}` };
  const { body } = await ask(idle, { path: '/v2/alerts', headers, body: { message: 'm' } });
  const path = `/v2/alerts/requests/${body.requestId}`;
  const received = await ask(idle, { method: 'GET', path, headers });
  expect([received.status, received.headers['x-opsgenie-errortype']]).toEqual([404, 'RequestNotProcessed']);
  const closed = await ask(idle, { path: `/v2/alerts/${body.requestId}/close`, headers, body: {} });
  expect([closed.status, closed.headers['retry-after']]).toEqual([503, '1']);
  const uuid = '3f2b8c1e-9d4a-4e6b-8a7c-5d1e2f3a4b5c';
  expect((await ask(idle, { path: `/v2/alerts/${uuid}/close`, headers, body: {} })).status).toBe(202);
  await idle.stop();
});

test('repeats keep the texts, PUT replaces them, notes are on the timeline, and the end is the end', async () => {
  await create('life', { description: 'The first', tags: ['a', 'b'], entity: 'db-1' });
  await create('life', { message: 'Disk fuller', description: 'The second', priority: 'P1' });
  await act('POST', 'life', 'notes', { note: 'Looking', user: 'Kim' });
  await act('POST', 'life', 'acknowledge', { user: 'Kim', source: 'chat' });
  await statusOf(await act('PUT', 'life', 'message', { message: 'Disk 99% full' }));
  expect(await alertOf('life')).toMatchObject({
    message: 'Disk 99% full',
    description: 'The first',
    priority: 'P2',
    tags: ['a', 'b'],
    entity: 'db-1',
    status: 'open',
    acknowledged: true,
    count: 5,
    alias: 'life',
  });
  await statusOf(await act('PUT', 'life', 'priority', { priority: 'P1' }));
  expect(await alertOf('life')).toMatchObject({ priority: 'P1', message: 'Disk 99% full' });
  expect(await statusOf(await act('POST', 'life', 'close', { note: 'Cleaned up' }))).toMatchObject({
    isSuccess: true,
    status: 'Closed alert',
  });
  const { id, status } = await alertOf('life');
  expect(status).toBe('closed');
  const timeline = (await client.get(`/v2/alerts/${id}/events`)).body.data;
  expect(timeline.map((entry: { status: string }) => entry.status)).toEqual([
    ...['firing', 'firing', 'update', 'update', 'update', 'update', 'resolved'],
  ]);
  expect(timeline[1].changed).toEqual([]);
  expect(timeline[2].changed).toContainEqual({ field: 'custom.note', before: null, after: 'Looking' });
  expect((await client.get(`/v2/alerts/${id}`)).body.data.resolution).toBe('Cleaned up');
  expect(await statusOf(await act('POST', 'life', 'close'))).toMatchObject({
    isSuccess: false,
    status: expect.stringMatching(/^There is no open alert/),
    alertId: '',
    alias: '',
  });
  await statusOf(await create('life'));
  expect(await alertOf('life')).toMatchObject({ status: 'open', count: 1, message: 'Disk full' });
});

test('what creates and closes within milliseconds ends closed, with the first message', async () => {
  await create('gatus', { message: 'api is down' });
  void create('other');
  const recovered = await create('gatus', { message: 'RESOLVED: api' });
  const closed = await act('POST', 'gatus', 'close');
  await statusOf(recovered);
  await statusOf(closed);
  expect(await alertOf('gatus')).toMatchObject({ status: 'closed', message: 'api is down', count: 3 });
});

test('events of a key keep their order if another host has accepted the last one, and its clock is ahead', async () => {
  const order = new KeyOrder(stack.api.redis, stack.prefix);
  const times = [];
  for (const now of [10_000, 8_500, 8_501, 12_000]) times.push(await order.timeOf('w', 'k', now));
  expect(times).toEqual([10_000, 10_001, 10_002, 12_000]);
  expect(await order.timeOf('w', 'other', 8_502)).toBe(8_502);
});

describe('identifiers', () => {
  const ALIASES = [
    'a b',
    'a/b/close',
    'sentry: 1%',
    'ä?#&',
    'requests',
    'count',
    'requests/x',
    '100%',
    '100%25',
    'alias',
    'a+b',
  ];
  test.each(ALIASES)('the alias %j', async (alias) => {
    await create(alias);
    await act('POST', alias, 'notes', { note: 'n' });
    expect(await statusOf(await act('POST', alias, 'close'))).toMatchObject({ isSuccess: true, alias });
    expect(await alertOf(alias)).toMatchObject({ alias, status: 'closed', count: 3 });
  });

  test.each(['x/y', 'x/close', 'x%zz', 'x: y'.replace(' ', '%20')])(
    'an alias that is not escaped: %s',
    async (sent) => {
      const alias = sent.replace('%20', ' ');
      await create(alias);
      const closed = await send('POST', `/v2/alerts/${sent}/close/?identifierType=alias`);
      expect(await statusOf(closed)).toMatchObject({ isSuccess: true, alias });
    },
  );

  test('the id of the alert, its tiny id, the id of the request that created it, and an alias without its type', async () => {
    for (const [index, type] of ['id', 'tiny', 'request', 'alias'].entries()) {
      const alias = `by ${type}`;
      const created = await create(alias);
      const { alertId } = await statusOf(created);
      const identifier = [alertId, alertId, created.body.requestId, encodeURIComponent(alias)][index];
      const query = { tiny: '?identifierType=tiny', request: '?identifierType=id' }[type] ?? '';
      const closed = await send('POST', `/v2/alerts/${identifier}/close${query}`, {});
      expect(await statusOf(closed)).toMatchObject({ isSuccess: true, alias, alertId });
    }
  });

  test('an id right after the request that creates the alert', async () => {
    const { body } = await create('at once');
    expect(await statusOf(await send('POST', `/v2/alerts/${body.requestId}/close`))).toMatchObject({
      isSuccess: true,
      alias: 'at once',
    });
  });

  test('without an alias, an alert has an id for one', async () => {
    const created = await send('POST', '/v2/alerts', { message: 'No alias' });
    const { alias } = await statusOf(created);
    expect(alias).toBe(created.body.requestId);
    expect(await statusOf(await send('POST', `/v2/alerts/${alias}/close`))).toMatchObject({
      isSuccess: true,
    });
  });

  test('an alias of 512 characters is hashed, and the status has it as it was sent', async () => {
    const alias = 'x'.repeat(512);
    expect(await statusOf(await create(alias))).toMatchObject({ isSuccess: true, alias });
    const { id } = await alertOf(alias);
    expect(await alertOf(alias)).toMatchObject({ alias, status: 'open' });
    expect((await send('GET', `/v2/alerts/${id}`)).body.data.alias).toBe(alias);
  });

  test('an alias that stands for no value finds no alert, and the status says so', async () => {
    await create('none');
    expect(await statusOf(await act('POST', 'none', 'close'))).toMatchObject({
      isSuccess: false,
      status: expect.stringContaining('There is no open alert'),
    });
  });

  test('ids of another integration lead nowhere', async () => {
    const other = await makeWebhook(client, { template: 'opsgenie-api' });
    const created = await create('mine');
    const { alertId } = await statusOf(created);
    const path = `${other.path}/v2/alerts`;
    const get = (id: string) => ask(stack, { method: 'GET', path: `${path}/${id}` });
    for (const id of [alertId, created.body.requestId, `requests/${created.body.requestId}`, 'mine'])
      expect((await get(id)).status).toBe(404);
    const closed = await ask(stack, { path: `${path}/${alertId}/close` });
    const { body } = await ask(stack, { method: 'GET', path: `${path}/requests/${closed.body.requestId}` });
    expect(body.data.status).toMatch(/^There is no open alert with this alias in this integration/);
    await ask(stack, { path: `${path}/mine/close?identifierType=alias` });
    expect(await alertOf('mine')).toMatchObject({ status: 'open' });
  });
});

test('alerts are listed and counted by alias and status', async () => {
  await create('list 1');
  await statusOf(await create('list 2'));
  const query = (text: string) => `?query=${encodeURIComponent(text)}`;
  const { data } = (await send('GET', `/v2/alerts${query('alias: "list 1" AND status: open')}`)).body;
  expect(data).toMatchObject([{ alias: 'list 1', status: 'open' }]);
  expect((await send('GET', `/v2/alerts/count${query('alias="list 2"')}`)).body.data).toEqual({ count: 1 });
  expect(
    (await send('GET', `/v2/alerts/count${query('alias="list 2" status:closed')}`)).body.data.count,
  ).toBe(0);
  expect((await send('GET', '/v2/alerts?limit=1')).body.data).toHaveLength(1);
});

test('Jira Service Management finds an alert by its alias, and closes it by its id', async () => {
  const headers = { authorization: basic(`me@example.com:${key}`) };
  const path = '/jsm/ops/api/cloud/v1/alerts';
  await statusOf(await create('a & b'));
  const { body } = await ask(stack, { method: 'GET', path: `${path}/alias?alias=a%20%26%20b`, headers });
  expect(body).toMatchObject({ alias: 'a & b', id: expect.any(String) });
  expect(await statusOf(await ask(stack, { path: `${path}/${body.id}/close`, headers }))).toMatchObject({
    isSuccess: true,
  });
});

test("Muster's own API of the same paths is as it was", async () => {
  const { status, body } = await client.get('/v2/alerts?pageSize=1');
  expect([status, body.status]).toEqual([200, 'success']);
  const [{ id }] = body.data;
  expect((await client.get(`/v2/alerts/${id}`)).body.data.id).toBe(id);
  expect((await ask(stack, { method: 'GET', path: '/v2/alerts' })).body.code).toBe('missing_api_key');
  expect((await client.get(`/v2/alerts?apiKey=${key}`)).body.code).toBe('invalid_query');
});

test('over the limit of the integration, the response says so in its headers', async () => {
  const rateLimit = { eventsPerMinute: 1, overLimitStatus: 503 };
  const own = await makeWebhook(client, { template: 'opsgenie-api', rateLimit });
  const replies = [];
  for (let i = 0; i < 2; i++)
    replies.push(await ask(stack, { path: `${own.path}/v2/alerts`, body: { message: 'm' } }));
  expect(replies[1]?.status).toBe(429);
  expect(replies[1]?.headers).toMatchObject({
    'x-ratelimit-state': 'THROTTLED',
    'x-ratelimit-period-in-sec': '60',
    'retry-after': expect.stringMatching(/^\d+$/),
  });
});

test('while the queue is unavailable, the response has the form of all others', async () => {
  const received = await withoutRedis(stack, () => create('away'));
  expect([received.status, received.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(received.body).toEqual({ ...message(''), message: expect.stringContaining('Try again') });
});

test('a request that the filter of the mapping drops has failed, and the status says why', async () => {
  const own = await makeWebhook(client, { template: 'opsgenie-api' });
  const { mapping, revision } = (await client.get(`/v2/webhooks/${own.id}/mapping`)).body.data;
  const saved = await client.json(
    'PUT',
    `/v2/webhooks/${own.id}/mapping`,
    { ...mapping, filter: 'webhook.message != "m"' },
    { 'if-match': `"${revision}"` },
  );
  expect(saved.status).toBe(201);
  const path = `${own.path}/v2/alerts`;
  const statusOf = async () => {
    const { body } = await ask(stack, { path, body: { message: 'm', alias: 's' } });
    return (await ask(stack, { method: 'GET', path: `${path}/requests/${body.requestId}` })).body.data;
  };
  await until('workers know the mapping', async () => (await statusOf()).isSuccess === false);
  expect((await statusOf()).status).toBe('The filter of the mapping dropped the request');
  expect((await ask(stack, { path, body: {} })).status).toBe(422);
  const rejected = async () => (await client.get(`/v2/events?webhookId=${own.id}&state=rejected`)).body.data;
  await until('it is recorded', async () => (await rejected()).length === 1);
});

test('an acknowledgement resolves if the mapping says so', async () => {
  const own = await makeWebhook(client, { template: 'opsgenie-api' });
  const { mapping, revision } = (await client.get(`/v2/webhooks/${own.id}/mapping`)).body.data;
  mapping.fields.status.values.Acknowledge = 'resolved';
  const saved = await client.json('PUT', `/v2/webhooks/${own.id}/mapping`, mapping, {
    'if-match': `"${revision}"`,
  });
  expect(saved.status).toBe(201);
  const path = `${own.path}/v2/alerts`;
  await ask(stack, { path, body: { message: 'm', alias: 's' } });
  await ask(stack, { path: `${path}/s/acknowledge?identifierType=alias` });
  await until('it is closed', async () => {
    const { body } = await ask(stack, { method: 'GET', path: `${path}/s?identifierType=alias` });
    return body.data?.status === 'closed';
  });
});

describe('heartbeats', () => {
  const heartbeats = async () => (await client.get(`/v2/webhooks/${webhook.id}/heartbeats`)).body.data;

  test.each(['GET', 'POST', 'PUT', 'PATCH'])('a ping with %s', async (method) => {
    const received = await send(method, '/v2/heartbeats/backup/ping');
    expect(received.status).toBe(202);
    expect(received.body).toEqual({ result: 'PONG - Heartbeat received', ...took });
  });

  test('the first ping creates a heartbeat that has no schedule yet, whatever its name is', async () => {
    await send('GET', '/v2/heartbeats/nightly%20backup/ping');
    await until('the pings are stored', async () =>
      (await heartbeats()).every(({ state }: { state: string }) => state === 'up'),
    );
    expect(await heartbeats()).toMatchObject([
      { name: 'backup', schedule: null, state: 'up', nextExpectedAt: null },
      { name: expect.stringMatching(/^nightly-backup-[\da-f]{8}$/), schedule: null },
    ]);
  });

  test('first pings at the same time create one', async () => {
    const own = await makeWebhook(client, { template: 'opsgenie-api' });
    const ping = { method: 'GET', path: `${own.path}/v2/heartbeats/first/ping` };
    const pings = await Promise.all(Array.from({ length: 20 }, () => ask(stack, ping)));
    expect(new Set(pings.map(({ status }) => status))).toEqual(new Set([202]));
  });

  test('one that exists keeps its settings', async () => {
    const path = `/v2/webhooks/${webhook.id}/heartbeats/hourly`;
    await client.json('PUT', path, { schedule: { periodSeconds: 3_600 } });
    await ask(stack, { path: `${webhook.path}/v2/heartbeats/hourly/ping` });
    await until('the ping is stored', async () => (await client.get(path)).body.data.state === 'up');
    expect((await client.get(path)).body.data).toMatchObject({
      schedule: { periodSeconds: 3_600 },
      nextExpectedAt: expect.any(String),
    });
  });
});
