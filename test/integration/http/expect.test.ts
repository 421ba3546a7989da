import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Route } from '../../../api/endpoint/route.js';
import { routes } from '../../../api/routes/index.js';
import { Client } from '../../support/api/client.js';
import { makeWebhook } from '../../support/api/webhooks.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

let stack: Stack;
let key: string;
let webhook: { id: string; path: string };
beforeAll(async () => {
  stack = await startStack();
  key = await stack.key();
  webhook = await makeWebhook(await Client.of(stack));
});
afterAll(() => stack.stop());

const FIVE_GIB = 5 * 1024 ** 3;
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

interface Head {
  line: string;
  headers?: Record<string, string>;
}

/** Sends only the head of a request with `Expect: 100-continue`, and returns everything that arrives. */
async function announce({ line, headers = {} }: Head, body = '') {
  const all = { Host: 'x', Authorization: `ApiKey ${key}`, Expect: '100-continue', ...headers };
  const head = [`${line} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  const socket = connect(stack.port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`));
  let text = '';
  socket.on('data', (chunk) => {
    if (text === '' && chunk.toString() === CONTINUE) socket.write(body);
    text += chunk;
  });
  socket.on('error', () => {});
  await until('a response has arrived', () => /HTTP\/1\.1 [2-5]\d\d.*\r\n\r\n.*\}/s.test(text));
  if (!text.startsWith(CONTINUE)) await until('the connection is closed', () => socket.closed);
  socket.destroy();
  const final = text.replace(CONTINUE, '');
  return { asked: text.startsWith(CONTINUE), status: Number(final.slice(9, 12)), text: final };
}

const isEvent = ({ path }: Route) => path.startsWith('/api/v1/webhook/');
const lineOf = (route: Route, query = '') =>
  `${route.method.toUpperCase()} ${isEvent(route) ? webhook.path : route.path.replace('{integrationId}', '7').replace('{id}', webhook.id)}${query}`;
/** A media type that a route takes with a charset. */
const typeOf = ({ requestBody }: Route) =>
  requestBody && 'text/csv' in requestBody ? 'text/csv' : 'application/json';
const withBody = routes
  .filter(({ requestBody }) => requestBody)
  .map((route) => [route.operationId, route] as const);

describe.each(withBody)('the body of %s is not asked for', (_, route) => {
  const json = { 'Content-Type': 'application/json', 'Content-Length': '10' };
  const heads: [string, Head, boolean][] = [
    [
      'with a wrong key',
      { line: '', headers: { ...json, Authorization: 'ApiKey mstr_wrong' } },
      !isEvent(route),
    ],
    ['with an unknown parameter', { line: '?surprise=1', headers: json }, !isEvent(route)],
    [
      'with a media type that is not accepted',
      { line: '', headers: { ...json, 'Content-Type': 'application/pdf' } },
      !isEvent(route),
    ],
    [
      'with a content coding that is not accepted',
      { line: '', headers: { ...json, 'Content-Encoding': 'br' } },
      true,
    ],
    [
      'with an unknown charset',
      { line: '', headers: { ...json, 'Content-Type': `${typeOf(route)}; charset=klingon` } },
      true,
    ],
    ['with 5 GiB', { line: '', headers: { ...json, 'Content-Length': String(FIVE_GIB) } }, true],
  ];
  test.each(heads.filter(([, , applies]) => applies))('%s', async (_case, { line: query, headers = {} }) => {
    const response = await announce({ line: lineOf(route, query), headers });
    expect(response).toMatchObject({ asked: false });
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.text).toMatch(/\r\nconnection: close\r\n/i);
  });
});

const CSV = 'email,integrationId,identity\nann@example.com,7,ann\n';
const csv = { 'Content-Type': 'text/csv', 'Content-Length': String(CSV.length) };

test.each<[string, () => Head, number]>([
  ['PATCH', () => ({ line: 'PATCH /v2/developers/identities', headers: csv }), 200],
  ['POST', () => ({ line: 'POST /v2/developers/identities/imports', headers: csv }), 200],
  ['an event', () => ({ line: `POST ${webhook.path}`, headers: { 'Content-Length': '2' } }), 202],
])('a body that can be accepted is asked for: %s', async (_, head, status) => {
  const sent = head();
  const body = sent.headers?.['Content-Type'] ? CSV : '{}';
  expect(await announce(sent, body)).toMatchObject({ asked: true, status });
});

test('a large upload of a file is rejected by its length, in any form', async () => {
  const length = { 'Content-Length': String(FIVE_GIB) };
  for (const type of ['text/csv', 'multipart/form-data; boundary=b', 'application/json'])
    for (const headers of [length, { ...length, 'Content-Encoding': 'gzip' }])
      expect(
        await announce({
          line: 'PATCH /v2/developers/identities',
          headers: { ...headers, 'Content-Type': type },
        }),
      ).toMatchObject({
        asked: false,
        status: type === 'application/json' && 'Content-Encoding' in headers ? 415 : 413,
      });
});

test('a file is not asked for if the query names an unknown charset, or another one than the headers', async () => {
  for (const line of ['PATCH /v2/developers/identities', 'POST /v2/integrations/7/worklists']) {
    const form = { ...csv, 'Content-Type': 'multipart/form-data; boundary=b' };
    for (const headers of [csv, form])
      expect(await announce({ line: `${line}?charset=klingon`, headers })).toMatchObject({
        asked: false,
        status: 400,
      });
    const latin1 = { ...csv, 'Content-Type': 'text/csv; charset=latin1' };
    expect(await announce({ line: `${line}?charset=utf-8`, headers: latin1 })).toMatchObject({
      asked: false,
    });
  }
});

test.each<[string, Record<string, string>, number]>([
  ['XML', { 'Content-Type': 'application/soap+xml' }, 415],
  ['multipart/mixed', { 'Content-Type': 'multipart/mixed; boundary=b' }, 415],
  ['an unknown transfer encoding', { 'Content-Transfer-Encoding': 'x-uuencode' }, 415],
  ['a range', { 'Content-Range': 'bytes 0-1/9' }, 400],
])('an event is not asked for that is %s', async (_, headers, status) => {
  const head = { line: `POST ${webhook.path}`, headers: { 'Content-Length': '2', ...headers } };
  expect(await announce(head)).toMatchObject({ asked: false, status });
});

test('a list of transfer codings is rejected, because only chunks are decoded', async () => {
  const headers = { 'Content-Type': 'text/csv', 'Transfer-Encoding': 'gzip, chunked' };
  const response = await announce({ line: 'PATCH /v2/developers/identities', headers });
  expect(response).toMatchObject({ asked: false, status: 501 });
  expect(response.text).toContain('`Transfer-Encoding`');
});
