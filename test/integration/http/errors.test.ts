import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '../../support/api/client.js';
import { type Stack, startStack } from '../../support/servers/stack.js';

let stack: Stack;
let client: Client;
beforeAll(async () => {
  stack = await startStack({ worker: false });
  client = await Client.of(stack);
});
afterAll(() => stack.stop());

const identities = '/v2/developers/identities';

/** Sends raw bytes, and resolves to everything that the server sends until it closes. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(stack.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

test.each([
  ['no HTTP at all', 'HELLO\r\n\r\n', 400, 'malformed_request'],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'malformed_request',
  ],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'malformed_request'],
  ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n', 417, 'expectation_failed'],
  [
    'a header that is too long',
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
])('what the HTTP parser rejects has the same error body: %s', async (_, bytes, status, code) => {
  const text = await raw(bytes);
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(JSON.parse(/\{.*\}/s.exec(text)?.[0] as string)).toMatchObject({
    status: 'error',
    code,
    errors: [],
  });
});

test('an unknown path is 404 with the error body', async () => {
  const response = await client.get('/v2/nothing');
  expect([response.status, response.body.code]).toEqual([404, 'not_found']);
});

test('an unsupported method is 405 with Allow', async () => {
  const response = await client.send('PUT', identities);
  expect([response.status, response.body.code]).toEqual([405, 'method_not_allowed']);
  expect(response.headers.get('allow')?.split(', ').sort()).toEqual(['DELETE', 'GET', 'HEAD', 'PATCH']);
});

test.each(['', '/v2', '/developers', '/v2/developers'])(
  'the retired paths under "%s" respond with 410 and their successor to every method',
  async (prefix) => {
    for (const path of ['/cloud-ids', '/cloud-ids/upload']) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const response = await client.send(method, prefix + path);
        expect([method, response.status]).toEqual([method, 410]);
        expect(response.headers.get('link')).toBe('</v2/developers/identities>; rel="successor-version"');
        if (method !== 'HEAD') expect(response.body.code).toBe('replaced');
      }
    }
  },
);

test('rejects an unknown query parameter, and suggests the most similar one', async () => {
  const response = await client.get(`${identities}?integrationId=5&pagesize=10`);
  expect([response.status, response.body.code]).toEqual([400, 'invalid_query']);
  expect(response.body.errors).toEqual([
    {
      field: 'integrationId',
      code: 'unknown_parameter',
      message: 'unknown parameter; did you mean integrationIds?',
    },
    { field: 'pagesize', code: 'unknown_parameter', message: 'unknown parameter; did you mean pageSize?' },
  ]);
});

test('rejects malformed JSON, and reports the position', async () => {
  const response = await client.json('PATCH', identities, '[{"email":"a@b"},\n {"email": oops}]');
  expect([response.status, response.body.code]).toEqual([400, 'malformed_json']);
  expect(response.body.message).toContain('line 2, column 12');
});

test('unsupported media types and content codings are 415', async () => {
  const xml = await client.send('PATCH', identities, {
    body: '<a/>',
    headers: { 'content-type': 'text/xml' },
  });
  expect([xml.status, xml.body.code]).toEqual([415, 'unsupported_media_type']);
  const coded = await client.json('POST', '/v2/keys', {}, { 'content-encoding': 'gzip' });
  expect(coded.status).toBe(415);
  const brotli = await client.json('PATCH', identities, [], { 'content-encoding': 'br' });
  expect(brotli.status).toBe(415);
});

test('an unavailable media type is 406', async () => {
  const response = await client.get(identities, { accept: 'application/pdf' });
  expect([response.status, response.body.code]).toEqual([406, 'not_acceptable']);
});

test('keeps the request id of a client if it is safe, otherwise replaces it', async () => {
  const kept = await client.get('/healthz', { 'x-request-id': 'deploy-17' });
  expect(kept.headers.get('x-request-id')).toBe('deploy-17');
  const replaced = await client.get('/healthz', { 'x-request-id': '<script>' });
  expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('an unexpected error reveals nothing to the client, and no SQL to the log', async () => {
  await stack.database.raw('RENAME TABLE identities TO identities_away');
  const response = await client.get(`${identities}?emails=secret@example.com`);
  await stack.database.raw('RENAME TABLE identities_away TO identities');
  expect([response.status, response.body.code]).toEqual([500, 'internal_error']);
  expect(response.text).not.toMatch(/select|identities_away|doesn't exist/i);
  const line = stack.lines.find((one) => one.includes('a request failed unexpectedly')) as string;
  expect(line).toContain(response.body.requestId);
  expect(line).toContain('ER_NO_SUCH_TABLE');
  expect(line).not.toContain('secret@example.com');
});
