import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';
import { until } from '../../support/until.js';

const KIB = 1024;
const identities = '/v2/developers/identities';
const csv = 'email,integrationId,identity\nann@example.com,1,ann\n';
const json = (records: number) =>
  JSON.stringify(Array(records).fill({ email: 'ann@example.com', integrationId: 1, identity: 'ann' }));

let stack: Stack;
let key: string;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  key = await stack.key();
  client = new Client(stack.url, key);
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => stack.stop());

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

const sendJson = (method: string, path: string, body: string): Sent => ({
  method,
  path,
  headers: { 'content-type': 'application/json', prefer: 'respond-async' },
  body: Buffer.from(body),
});

async function sendCsv(gzip: boolean): Promise<Sent> {
  const form = new FormData();
  form.append('file', new Blob([csv]), 'identities.csv');
  const response = new Response(form);
  const type = response.headers.get('content-type') as string;
  const body = Buffer.from(await response.arrayBuffer());
  const headers = { 'content-type': type, prefer: 'respond-async' };
  if (!gzip) return { method: 'PATCH', path: identities, headers, body };
  return {
    method: 'PATCH',
    path: identities,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: gzipSync(body),
  };
}

/** Sends a complete request, disconnects when it has arrived, and calls `then` once the server has noticed. */
async function sendAndDisconnect({ method, path, headers, body }: Sent, then: () => void): Promise<void> {
  const sent = request({ port: stack.port, host: '127.0.0.1', agent: false, method, path });
  sent.on('error', () => {});
  const all = { ...headers, authorization: `ApiKey ${key}`, 'content-length': String(body.length) };
  for (const [name, value] of Object.entries(all)) sent.setHeader(name, value);
  sent.end(body);
  const [req] = (await once(stack.server, 'request')) as [IncomingMessage];
  await until('the whole body has arrived', () => req.complete);
  sent.destroy();
  await until('the server notices that the client is gone', () => req.destroyed);
  then();
}

/** Repeats the request until it is no longer rejected as still in progress. */
async function expectKeyIsFree({ method, path, headers, body }: Sent, status: number): Promise<void> {
  let response = { status: 409 };
  await until('the Idempotency-Key is free', async () => {
    response = await client.send(method, path, { headers, body });
    return response.status !== 409;
  });
  expect(response.status).toBe(status);
}

const under = (sent: Sent, name: string): Sent => ({
  ...sent,
  headers: { ...sent.headers, 'idempotency-key': name.replaceAll(' ', '-') },
});

/** Delays the authentication of the next request until the returned function is called. */
function holdUpAuthentication(): () => void {
  const { authenticator } = stack.api;
  const authenticate = authenticator.authenticate.bind(authenticator);
  let proceed = (): void => {};
  const gate = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  jest.spyOn(authenticator, 'authenticate').mockImplementationOnce(async (header) => {
    await gate;
    return authenticate(header);
  });
  return proceed;
}

test.each([
  [
    'a small request',
    201,
    () => sendJson('POST', '/v2/keys', '{"name":"x","scopes":["developer_records:read"]}'),
  ],
  ['a JSON upload', 202, () => sendJson('PATCH', identities, json(1))],
  ['a CSV upload', 202, () => sendCsv(false)],
  ['a gzip CSV upload', 202, () => sendCsv(true)],
])('a client that disconnects before its complete body is read can retry: %s', async (name, status, make) => {
  const sent = under(await make(), name);
  await sendAndDisconnect(sent, holdUpAuthentication());
  await expectKeyIsFree(sent, status);
});

test('a client that disconnects while the store slowly writes its complete JSON body can retry', async () => {
  const write = stack.files.write.bind(stack.files);
  let proceed = (): void => {};
  const gate = new Promise<void>((resolve) => {
    proceed = resolve;
  });
  jest.spyOn(stack.files, 'write').mockImplementationOnce(async (name, source) => {
    await once(source as Readable, 'readable');
    await gate;
    return write(name, source);
  });
  const sent = under(sendJson('PATCH', identities, json(1_500)), 'slow store');
  expect(sent.body.length).toBeGreaterThan(64 * KIB);
  await sendAndDisconnect(sent, proceed);
  await expectKeyIsFree(sent, 202);
});
