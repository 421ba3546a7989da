import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { ALERT, makeWebhook, sendEvent } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
let anyone: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
  anyone = new Client(stack.url, null);
});
afterAll(() => stack.stop());

const UNKNOWN = `/api/v1/webhook/${'x'.repeat(43)}`;
const SLACK = {
  token: 'Jhj5dZrVaK7ZwHHjRyZWjbDl',
  challenge: '3eZbrw1aBm2rZgRNFdxV2595E9CY',
  type: 'url_verification',
};
const eventGrid = (validationCode: unknown) => [
  { id: '1', eventType: 'Microsoft.EventGrid.SubscriptionValidationEvent', data: { validationCode } },
];

test('a probe with GET or HEAD gets one line of text', async () => {
  const { path } = await makeWebhook(client);
  const { status, text, headers } = await anyone.get(path);
  expect([status, text]).toEqual([200, 'This is a Muster webhook URL. Send events to it with POST.\n']);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect((await anyone.send('HEAD', path)).status).toBe(200);
});

test.each([
  ['GET', '?msg=Disk+full', {}],
  ['GET', '', { body: '{"alert":{"name":"Disk full"}}' }],
  ['HEAD', '?msg=Disk+full', {}],
  ['PUT', '', { body: '{}' }],
  ['PATCH', '', { body: '{}' }],
  ['DELETE', '', {}],
  ['DELETE', '?id=7', {}],
])(
  'an event that is sent with %s and %j gets 405: only POST stores it',
  async (method, query, more: { body?: string }) => {
    const { path } = await makeWebhook(client, { challenge: 'okta' });
    const { port } = new URL(stack.url);
    const sent = request({
      port,
      method,
      path: path + query,
      headers: more.body ? { 'content-length': more.body.length } : {},
    });
    sent.end(more.body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const text = await textOf(response);
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'POST']);
    if (method !== 'HEAD')
      expect(JSON.parse(text)).toMatchObject({
        code: 'method_not_allowed',
        message: expect.stringContaining('POST'),
      });
  },
);

test('an unknown method gets 404 from an unknown URL, and a documented challenge may have a query', async () => {
  expect((await anyone.send('PUT', UNKNOWN)).status).toBe(404);
  const { path } = await makeWebhook(client, { challenge: 'okta' });
  const { body } = await anyone.get(`${path}?a=1`, { 'x-okta-verification-challenge': 'a challenge' });
  expect(body).toEqual({ verification: 'a challenge' });
});

test('an unknown URL gets the same 404 for every method', async () => {
  const missing = { status: 404, body: expect.objectContaining({ code: 'not_found' }) };
  expect(await anyone.get(UNKNOWN)).toMatchObject(missing);
  expect(await anyone.json('POST', UNKNOWN, ALERT)).toMatchObject(missing);
  expect(await anyone.send('OPTIONS', UNKNOWN)).toMatchObject(missing);
  expect((await anyone.send('HEAD', UNKNOWN)).status).toBe(404);
});

test('Slack: the response is the challenge', async () => {
  const { path } = await makeWebhook(client, { challenge: 'slack' });
  const response = await sendEvent(stack.url, path, SLACK);
  expect([response.status, await response.text()]).toEqual([200, SLACK.challenge]);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect((await sendEvent(stack.url, path, ALERT)).status).toBe(202);
});

test('Microsoft Graph: the response is the decoded token, and the body may be empty', async () => {
  const { path } = await makeWebhook(client, { challenge: 'microsoft-graph' });
  const url = `${path}?validationToken=Validation%3A%20Testing+client+%26+x`;
  const response = await sendEvent(stack.url, url, '');
  expect([response.status, await response.text()]).toEqual([200, 'Validation: Testing client & x']);
  expect((await sendEvent(stack.url, path, ALERT)).status).toBe(202);
});

test('Azure Event Grid: the response has the validation code', async () => {
  const { path } = await makeWebhook(client, { challenge: 'event-grid' });
  const response = await sendEvent(stack.url, path, eventGrid('512d38b6-c7b8-40c8-89fe-f46f9e9622b6'));
  expect([response.status, await response.json()]).toEqual([
    200,
    { validationResponse: '512d38b6-c7b8-40c8-89fe-f46f9e9622b6' },
  ]);
});

test('Okta: the response has the value of the header', async () => {
  const { path } = await makeWebhook(client, { challenge: 'okta' });
  const { status, body } = await anyone.get(path, { 'x-okta-verification-challenge': 'a challenge' });
  expect([status, body]).toEqual([200, { verification: 'a challenge' }]);
  expect((await anyone.get(path)).text).toContain('This is a Muster webhook URL');
});

test('CloudEvents: the response permits the sender, at the rate of the integration', async () => {
  const { id, path } = await makeWebhook(client, { challenge: 'cloudevents' });
  let calls = 0;
  const callback = createServer((_, response) => {
    calls += 1;
    response.end();
  });
  await new Promise<void>((resolve) => callback.listen(0, '127.0.0.1', resolve));
  const { port } = callback.address() as AddressInfo;
  const ask = () =>
    anyone.send('OPTIONS', path, {
      headers: {
        'WebHook-Request-Origin': 'eventemitter.example.com',
        'WebHook-Request-Rate': '120',
        'WebHook-Request-Callback': `http://127.0.0.1:${port}/`,
      },
    });
  const unlimited = await ask();
  expect(unlimited.status).toBe(200);
  expect(unlimited.headers.get('webhook-allowed-origin')).toBe('eventemitter.example.com');
  expect(unlimited.headers.get('webhook-allowed-rate')).toBe('*');
  expect(unlimited.headers.get('allow')).toBe('POST, GET, HEAD, OPTIONS');
  await client.json('PATCH', `/v2/webhooks/${id}`, { rateLimit: { eventsPerMinute: 60 } });
  expect((await ask()).headers.get('webhook-allowed-rate')).toBe('60');
  expect(calls).toBe(0);
  callback.close();
});

test.each([undefined, '', 'a b', '<script>', 'a, b', 'x'.repeat(254), 'https://example.com'])(
  'CloudEvents: no permission for the origin %j',
  async (origin) => {
    const { path } = await makeWebhook(client, { challenge: 'cloudevents' });
    const headers = origin === undefined ? {} : { 'WebHook-Request-Origin': origin };
    const response = await anyone.send('OPTIONS', path, { headers: headers as Record<string, string> });
    expect([response.status, response.headers.get('webhook-allowed-origin')]).toEqual([200, null]);
  },
);

test('an integration without a challenge responds to none, and one with a challenge to no other', async () => {
  for (const challenge of [null, 'okta']) {
    const { path } = await makeWebhook(client, { challenge });
    expect((await sendEvent(stack.url, path, SLACK)).status).toBe(202);
    expect((await sendEvent(stack.url, `${path}?validationToken=x`, eventGrid('x'))).status).toBe(202);
    const options = await anyone.send('OPTIONS', path, {
      headers: { 'WebHook-Request-Origin': 'example.com' },
    });
    expect(options.headers.get('webhook-allowed-origin')).toBeNull();
  }
  const { path } = await makeWebhook(client);
  const { text } = await anyone.get(path, { 'x-okta-verification-challenge': 'x' });
  expect(text).toContain('This is a Muster webhook URL');
});

const hostile: [string, unknown][] = [
  ['markup', '<script>alert(1)</script>'],
  ['line breaks', 'a\r\nSet-Cookie: a=b'],
  ['NUL', 'a\u0000b'],
  ['other scripts', 'ä'],
  ['2,001 characters', 'x'.repeat(2_001)],
  ['nothing', ''],
  ['a number', 7],
  ['an object', { a: 1 }],
  ['null', null],
];

test.each(hostile)('a challenge that consists of %s is an ordinary event', async (_, value) => {
  const slack = await makeWebhook(client, { challenge: 'slack' });
  expect((await sendEvent(stack.url, slack.path, { ...SLACK, challenge: value })).status).toBe(202);
  const grid = await makeWebhook(client, { challenge: 'event-grid' });
  expect((await sendEvent(stack.url, grid.path, eventGrid(value))).status).toBe(202);
  const graph = await makeWebhook(client, { challenge: 'microsoft-graph' });
  if (typeof value !== 'string') return;
  const url = `${graph.path}?validationToken=${encodeURIComponent(value)}`;
  expect((await sendEvent(stack.url, url, ALERT)).status).toBe(202);
});

test('a body over 8 KiB is an event, whatever it contains', async () => {
  const { path } = await makeWebhook(client, { challenge: 'slack' });
  expect((await sendEvent(stack.url, path, { ...SLACK, more: 'x'.repeat(8_192) })).status).toBe(202);
});

test('a challenge can be set, read and removed, and an unknown one is rejected', async () => {
  const { id, path } = await makeWebhook(client);
  const read = async () => (await client.get(`/v2/webhooks/${id}`)).body.data.challenge;
  expect(await read()).toBeNull();
  await client.json('PATCH', `/v2/webhooks/${id}`, { challenge: 'slack' });
  expect(await read()).toBe('slack');
  expect((await sendEvent(stack.url, path, SLACK)).status).toBe(200);
  await client.json('PATCH', `/v2/webhooks/${id}`, { name: 'renamed' });
  expect(await read()).toBe('slack');
  await client.json('PATCH', `/v2/webhooks/${id}`, { challenge: null });
  expect((await sendEvent(stack.url, path, SLACK)).status).toBe(202);
  const { status, body } = await client.json('PATCH', `/v2/webhooks/${id}`, { challenge: 'other' });
  expect([status, body.errors[0].field]).toEqual([400, 'challenge']);
});
