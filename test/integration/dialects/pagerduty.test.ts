import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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
beforeAll(async () => {
  stack = await startStack();
  client = await Client.of(stack);
  webhook = await makeWebhook(client, { template: 'pagerduty-events' });
  key = tokenOf(webhook.path);
});
afterAll(() => stack.stop());

const PAYLOAD = { summary: 'Disk full', source: 'db-1', severity: 'critical' };
const trigger = (more: object = {}) => ({
  routing_key: key,
  event_action: 'trigger',
  payload: PAYLOAD,
  ...more,
});
const V1 = '/generic/2010-04-15/create_event.json';
const OTHER_KEY = 'x'.repeat(32);

const invalid = (...errors: string[]) => ({
  status: 'invalid event',
  message: 'Event object is invalid',
  errors,
});
const PROCESSED = {
  status: 'success',
  message: 'Event processed',
  dedup_key: expect.stringMatching(/^.{36}$/),
};
const UNREADABLE = {
  status: 'unrecognized object',
  message: 'Event object format is unrecognized',
  errors: expect.arrayContaining(['JSON parse error']),
};

/** Endpoint × case × response. */
const CONFORMANCE: readonly [what: string, asked: () => Asked, status: number, body: object][] = [
  ['a trigger', () => ({ path: '/v2/enqueue', body: trigger() }), 202, PROCESSED],
  ['a trailing slash', () => ({ path: '/v2/enqueue/', body: trigger() }), 202, PROCESSED],
  [
    'the door of the URL',
    () => ({ path: `${webhook.path}/v2/enqueue`, body: trigger({ routing_key: undefined }) }),
    202,
    PROCESSED,
  ],
  [
    'a key of another service at the door',
    () => ({ path: `${webhook.path}/v2/enqueue`, body: trigger({ routing_key: 'R' }) }),
    202,
    PROCESSED,
  ],
  [
    'the key in the header',
    () => ({
      path: '/v2/enqueue',
      headers: { 'x-routing-key': key },
      body: trigger({ routing_key: undefined }),
    }),
    202,
    PROCESSED,
  ],
  [
    'an Authorization of another scheme',
    () => ({ path: '/v2/enqueue', headers: { authorization: `Token token=${key}` }, body: trigger() }),
    202,
    PROCESSED,
  ],
  ['an empty dedup_key', () => ({ path: '/v2/enqueue', body: trigger({ dedup_key: '' }) }), 202, PROCESSED],
  [
    'a dedup_key',
    () => ({ path: '/v2/enqueue', body: trigger({ dedup_key: 'a' }) }),
    202,
    { ...PROCESSED, dedup_key: 'a' },
  ],
  [
    'an unknown key resolved',
    () => ({ path: '/v2/enqueue', body: { routing_key: key, event_action: 'resolve', dedup_key: 'none' } }),
    202,
    { ...PROCESSED, dedup_key: 'none' },
  ],
  [
    'an acknowledgement',
    () => ({
      path: '/v2/enqueue',
      body: { routing_key: key, event_action: 'acknowledge', dedup_key: 'none' },
    }),
    202,
    { ...PROCESSED, dedup_key: 'none' },
  ],
  [
    'a resolve without a key',
    () => ({ path: '/v2/enqueue', body: { routing_key: key, event_action: 'resolve' } }),
    400,
    invalid("'dedup_key' is missing or blank"),
  ],
  [
    'a long dedup_key',
    () => ({ path: '/v2/enqueue', body: trigger({ dedup_key: 'k'.repeat(256) }) }),
    400,
    invalid("Length of 'dedup_key' is incorrect (should be at most 255 characters)"),
  ],
  [
    'no payload',
    () => ({ path: '/v2/enqueue', body: trigger({ payload: undefined }) }),
    400,
    invalid("'payload' is missing or not an object"),
  ],
  [
    'an empty payload',
    () => ({ path: '/v2/enqueue', body: trigger({ payload: {} }) }),
    400,
    invalid(
      "'payload.summary' is missing or blank",
      "'payload.source' is missing or blank",
      "'payload.severity' is missing or blank",
    ),
  ],
  [
    'another severity',
    () => ({ path: '/v2/enqueue', body: trigger({ payload: { ...PAYLOAD, severity: 'P1' } }) }),
    400,
    invalid(
      "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error', 'info')",
    ),
  ],
  [
    'another action',
    () => ({ path: '/v2/enqueue', body: trigger({ event_action: 'fire' }) }),
    400,
    invalid("'event_action' is invalid (must be one of the following: 'trigger', 'acknowledge', 'resolve')"),
  ],
  [
    'no key',
    () => ({ path: '/v2/enqueue', body: trigger({ routing_key: undefined }) }),
    400,
    invalid("'routing_key' is missing or blank"),
  ],
  [
    'a short key',
    () => ({ path: '/v2/enqueue', body: trigger({ routing_key: 'abc-1' }) }),
    400,
    invalid(
      "Length of 'routing_key' is incorrect (should be 32 characters)",
      "'routing_key' cannot contain non-alphanumeric characters.",
    ),
  ],
  [
    'a key that is an object',
    () => ({ path: '/v2/enqueue', body: trigger({ routing_key: { toString: 1 } }) }),
    400,
    invalid("Length of 'routing_key' is incorrect (should be 32 characters)"),
  ],
  [
    'a charset that does not exist',
    () => ({
      path: '/v2/enqueue',
      headers: { 'content-type': 'application/json; charset=utf-7' },
      body: trigger(),
    }),
    400,
    { ...invalid(), errors: [expect.stringContaining('utf-7')] },
  ],
  [
    'an unknown key',
    () => ({ path: '/v2/enqueue', body: trigger({ routing_key: OTHER_KEY }) }),
    400,
    invalid('Invalid routing key'),
  ],
  [
    'an unknown key at the door',
    () => ({ path: `/api/v1/webhook/${OTHER_KEY}/v2/enqueue`, body: trigger() }),
    400,
    invalid('Invalid routing key'),
  ],
  ['no JSON', () => ({ path: '/v2/enqueue', body: '{' }), 400, UNREADABLE],
  ['a list', () => ({ path: `${webhook.path}/v2/enqueue`, body: '[]' }), 400, UNREADABLE],
  ['no body', () => ({ path: '/v2/enqueue' }), 400, invalid("'routing_key' is missing or blank")],
  [
    'a large body',
    () => ({ path: '/v2/enqueue', body: trigger({ client: 'x'.repeat(1_100_000) }) }),
    413,
    invalid('The body exceeds the limit of 1048576 bytes.'),
  ],
  ['GET', () => ({ method: 'GET', path: '/v2/enqueue' }), 405, invalid("Request method 'GET' not supported")],
  [
    'a path that is not one',
    () => ({ path: '/v2/enqueue/more', body: trigger() }),
    404,
    invalid('This path does not exist.'),
  ],
  [
    'a transfer coding that is refused before the path is looked at',
    () => ({ path: '/v2/enqueue', headers: { 'transfer-encoding': 'gzip, chunked' } }),
    501,
    {
      status: 'internal error',
      message: 'Event was not accepted',
      errors: [expect.stringContaining('Unsupported `Transfer-Encoding`')],
    },
  ],
  [
    'a change',
    () => ({ path: '/v2/change/enqueue', body: { routing_key: key, payload: { summary: 'Release' } } }),
    202,
    { status: 'success', message: 'Change event processed' },
  ],
  [
    'a change without a summary',
    () => ({ path: '/v2/change/enqueue', body: { routing_key: key, payload: {} } }),
    400,
    invalid("'payload.summary' is missing or blank"),
  ],
  [
    'v1',
    () => ({ path: V1, body: { service_key: key, event_type: 'trigger', description: 'Down' } }),
    200,
    { status: 'success', message: 'Event processed', incident_key: expect.stringMatching(/^.{36}$/) },
  ],
  [
    'v1 at the door',
    () => ({
      path: webhook.path + V1,
      body: { event_type: 'resolve', incident_key: 'i', event_action: '', payload: null },
    }),
    200,
    { status: 'success', message: 'Event processed', incident_key: 'i' },
  ],
  [
    'v1 with an unknown key',
    () => ({ path: V1, body: { service_key: OTHER_KEY, event_type: 'trigger', description: 'Down' } }),
    400,
    invalid('Invalid routing key'),
  ],
  [
    'v1 without a description',
    () => ({ path: V1, body: { service_key: key, event_type: 'trigger' } }),
    400,
    invalid("'description' is missing or blank"),
  ],
  ['v1 and no JSON', () => ({ path: V1, body: 'x' }), 400, UNREADABLE],
];

describe('the Events API', () => {
  test.each(CONFORMANCE)('%s', async (_, asked, status, body) => {
    const received = await ask(stack, asked());
    expect(received.body).toEqual(body);
    expect(received.status).toBe(status);
    expect(received.headers['content-type']).toMatch(/^application\/json/);
    expect(received.headers.location).toBeUndefined();
  });
});

const alertsOf = async (dedupKey: string) =>
  (await client.get(`/v2/alerts?webhookId=${webhook.id}&dedupKey=${dedupKey}`)).body.data;

test('a trigger and the resolve of the key that Muster made are one alert, and an acknowledgement is on its timeline', async () => {
  const send = async (body: object): Promise<Received> => ask(stack, { path: '/v2/enqueue', body });
  const { dedup_key } = (await send(trigger({ dedup_key: '' }))).body;
  const same = { routing_key: key, dedup_key };
  await send({ ...same, event_action: 'acknowledge' });
  await send(trigger({ ...same, payload: { ...PAYLOAD, summary: 'Disk 99% full', severity: 'error' } }));
  await until('it fires', async () => (await alertsOf(dedup_key))[0]?.eventCount === 3);
  const [alert] = await alertsOf(dedup_key);
  expect(alert).toMatchObject({ status: 'firing', title: 'Disk 99% full', severity: 'error' });
  await send(trigger({ ...same, event_action: 'resolve', payload: { ...PAYLOAD, severity: 'info' } }));
  await until('it is resolved', async () => (await alertsOf(dedup_key))[0]?.status === 'resolved');
  const timeline = (await client.get(`/v2/alerts/${alert.id}/events`)).body.data;
  expect(timeline.map(({ status }: { status: string }) => status)).toEqual([
    'firing',
    'update',
    'firing',
    'resolved',
  ]);
  expect(timeline[1].changed).toEqual([{ field: 'custom.acknowledged', before: null, after: 'yes' }]);
  expect(await alertsOf(dedup_key)).toMatchObject([{ severity: 'error', title: 'Disk 99% full' }]);
});

test('the key that v1 makes resolves its alert, and a long summary is the description', async () => {
  const description = 'Disk full. '.repeat(93).trim();
  const event = { service_key: key, event_type: 'trigger', incident_key: '', description };
  const { incident_key } = (await ask(stack, { path: V1, body: event })).body;
  await until('it fires', async () => (await alertsOf(incident_key))[0]?.status === 'firing');
  const [{ title, description: stored }] = await alertsOf(incident_key);
  expect([title.length <= 255, stored]).toEqual([true, description]);
  await ask(stack, { path: V1, body: { service_key: key, event_type: 'resolve', incident_key } });
  await until('it is resolved', async () => (await alertsOf(incident_key))[0]?.status === 'resolved');
});

test('an acknowledgement resolves if the mapping says so', async () => {
  const own = await makeWebhook(client, { template: 'pagerduty-events' });
  const { mapping, revision } = (await client.get(`/v2/webhooks/${own.id}/mapping`)).body.data;
  mapping.fields.status.values.acknowledge = 'resolved';
  const match = { 'if-match': `"${revision}"` };
  const saved = await client.json('PUT', `/v2/webhooks/${own.id}/mapping`, mapping, match);
  expect(saved.status).toBe(201);
  const send = (more: object) =>
    ask(stack, { path: `${own.path}/v2/enqueue`, body: trigger({ dedup_key: 'k', ...more }) });
  await send({});
  await send({ event_action: 'acknowledge' });
  const alerts = async () => (await client.get(`/v2/alerts?webhookId=${own.id}`)).body.data;
  await until('it is resolved', async () => (await alerts())[0]?.status === 'resolved');
});

test('an event is stored as it was sent, without the routing key', async () => {
  const body = `{"dedup_key": "exact", "routing_key": "${key}", "event_action": "trigger", "payload": {"summary": "s", "source": "s", "severity": "info", "custom_details": {"n": 12345678901234567890.10, "k": "a,\\"}"}}}`;
  expect((await ask(stack, { path: '/v2/enqueue', body })).status).toBe(202);
  await until('it is stored', async () => (await alertsOf('exact')).length === 1);
  const [{ eventId }] = await alertsOf('exact');
  const { raw, state } = (await client.get(`/v2/events/${eventId}`)).body.data;
  expect(raw).toBe(body.replace(` "routing_key": "${key}", `, ''));
  expect(state).toBe('normalized');
});

test('an event keeps the key nowhere else', async () => {
  const client_url = `https://muster.example.com${webhook.path}`;
  await ask(stack, {
    path: '/v2/enqueue',
    body: trigger({ dedup_key: 'hidden', client_url, service_key: 's' }),
  });
  await until('it is stored', async () => (await alertsOf('hidden')).length === 1);
  const [{ eventId }] = await alertsOf('hidden');
  const { raw } = (await client.get(`/v2/events/${eventId}`)).body.data;
  const hidden = client_url.replace(key, '***');
  expect(JSON.parse(raw)).toEqual({
    ...trigger({ client_url: hidden }),
    dedup_key: 'hidden',
    routing_key: undefined,
  });
});

test.each([
  ['compressed', gzipSync, { 'content-encoding': 'gzip' }],
  ['escaped', (text: string) => Buffer.from(text.replace(/(?<=routing_key":")./, escaped)), {}],
  ['in UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'), {}],
])('a rejected event is recorded without a key that is %s', async (_, written, headers) => {
  const own = await makeWebhook(client, { template: 'pagerduty-events' });
  const body = written(JSON.stringify({ routing_key: tokenOf(own.path), event_action: 'fire' }));
  await fetch(`${stack.url}/v2/enqueue`, { method: 'POST', headers, body });
  const list = async () => (await client.get(`/v2/events?webhookId=${own.id}&state=rejected`)).body.data;
  await until('it is recorded', async () => (await list()).length === 1);
  const [{ id }] = await list();
  expect((await client.get(`/v2/events/${id}`)).body.data.raw).toBe('{"event_action":"fire"}');
});
test('a body that is not JSON is recorded as a person would see it, without the key', async () => {
  const own = await makeWebhook(client, { template: 'pagerduty-events' });
  const body = gzipSync(`{"routing_key":"${tokenOf(own.path)}"`);
  const headers = { 'content-encoding': 'gzip' };
  await fetch(`${stack.url}${own.path}/v2/enqueue`, { method: 'POST', headers, body });
  const list = async () => (await client.get(`/v2/events?webhookId=${own.id}&state=rejected`)).body.data;
  await until('it is recorded', async () => (await list()).length === 1);
  const [{ id }] = await list();
  expect((await client.get(`/v2/events/${id}`)).body.data.raw).toBe('{"routing_key":"***"');
});

const escaped = (letter: string) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;

test('a rejected event is recorded with the reason, without the routing key', async () => {
  const own = await makeWebhook(client, { template: 'pagerduty-events' });
  const routing_key = tokenOf(own.path);
  await ask(stack, { path: '/v2/enqueue', body: { routing_key, event_action: 'resolve' } });
  const list = async () => (await client.get(`/v2/events?webhookId=${own.id}&state=rejected`)).body.data;
  await until('it is recorded', async () => (await list()).length === 1);
  const [{ id }] = await list();
  const { raw, faults } = (await client.get(`/v2/events/${id}`)).body.data;
  expect(JSON.parse(raw)).toEqual({ event_action: 'resolve' });
  expect(faults).toMatchObject([{ code: 'invalid_event', message: "'dedup_key' is missing or blank" }]);
});

test.each([
  ['v2', '/v2/enqueue'],
  ['v1', V1],
])('while the queue is unavailable, %s has a body that its clients understand', async (_, path) => {
  const body = { event_action: 'resolve', event_type: 'resolve', dedup_key: 'k', incident_key: 'k' };
  const received = await withoutRedis(stack, () => ask(stack, { path: webhook.path + path, body }));
  expect([received.status, received.headers['retry-after']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
  expect(received.body).toEqual({
    status: 'internal error',
    message: 'Event was not accepted',
    errors: [expect.stringContaining('Try again')],
  });
});

test.each([
  ['v2', '/v2/enqueue', 429],
  ['v1', V1, 403],
])('over the limit of the integration, %s replies in its own way', async (_, path, status) => {
  const rateLimit = { eventsPerMinute: 1, overLimitStatus: 503 };
  const own = await makeWebhook(client, { template: 'pagerduty-events', rateLimit });
  const body = { event_action: 'resolve', event_type: 'resolve', dedup_key: 'k', incident_key: 'k' };
  const replies = [];
  for (let i = 0; i < 2; i++) replies.push(await ask(stack, { path: own.path + path, body }));
  expect(replies[1]?.status).toBe(status);
  expect(replies[1]?.body).toMatchObject({ status: 'throttle exceeded', errors: [expect.any(String)] });
  expect(replies[1]?.headers['retry-after']).toMatch(/^\d+$/);
});
