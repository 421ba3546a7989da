import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keptRequest } from '../../../api/intake/request/kept-request.js';
import { type EventRequest, parseRequest } from '../../../workers/mapping/index.js';

function kept(headers: Record<string, string>, url = '/'): EventRequest {
  const rawHeaders = Object.entries(headers).flat();
  return parseRequest(keptRequest({ method: 'POST', url, headers, rawHeaders })) as EventRequest;
}

test('keeps the method, the content type, and the headers that describe the event', () => {
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'user-agent': 'GitHub-Hookshot/1',
    'x-github-event': 'issues',
    'ce-type': 'com.example.alarm',
    'webhook-id': 'msg_1',
    host: 'muster.example.com',
    accept: '*/*',
    connection: 'close',
    'content-length': '12',
  };
  expect(kept(headers)).toEqual({
    method: 'POST',
    contentType: 'application/json; charset=utf-8',
    query: {},
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'GitHub-Hookshot/1',
      'x-github-event': 'issues',
      'ce-type': 'com.example.alarm',
      'webhook-id': 'msg_1',
    },
  });
});

test.each([
  'authorization',
  'proxy-authorization',
  'cookie',
  'x-auth',
  'x-gitlab-token',
  'x-hub-signature-256',
  'webhook-signature',
  'x-webhook-secret',
  'x-api-key',
  'x-forwarded-for',
  'x-password',
  'x-csrf-cookie',
])('never keeps %s', (name) => expect(kept({ [name]: 'v' }).headers).toEqual({}));

test.each(['token', 'api_key', 'apiKey', 'SECRET', 'sig', 'X-Amz-Signature', 'auth', 'password'])(
  'never keeps the query parameter %s',
  (name) => expect(kept({}, `/?${name}=v&env=prod`).query).toEqual({ env: 'prod' }),
);

test('takes a repeated header once, as Node joins it, however its name is written', () => {
  const rawHeaders = ['X-A', '1', 'x-a', '2', 'X-B', '"\\\u0001'];
  const headers = { 'x-a': '1, 2', 'x-b': '"\\\u0001' };
  expect(parseRequest(keptRequest({ method: 'PUT', url: '/', headers, rawHeaders }))).toEqual({
    method: 'PUT',
    contentType: null,
    query: {},
    headers,
  });
});

test('decides the same about a header after thousands of other names', () => {
  const names = Array.from({ length: 3_000 }, (_, i) => (i % 3 === 0 ? `x-token-${i}` : `x-${i}`));
  for (const name of names) {
    const expected = name.includes('token') ? {} : { [name]: 'v' };
    expect(kept({ [name]: 'v', Accept: '*/*' }).headers).toEqual(expected);
  }
  expect(kept({ 'x-token-0': 'v', 'x-1': 'v' }).headers).toEqual({ 'x-1': 'v' });
});

describe('query parameters', () => {
  test.each([
    ['/', {}],
    ['/?', {}],
    ['/?env=prod', { env: 'prod' }],
    ['/?tag=a&tag=b&tag=a', { tag: ['a', 'b', 'a'] }],
    ['/?a', { a: '' }],
    ['/?=b', { '': 'b' }],
    ['/?a=b+c%20d', { a: 'b c d' }],
    ['/?a=%ff%', { a: '\uFFFD%' }],
    ['/?a=b?c=d', { a: 'b?c=d' }],
  ])('of %s', (url, query) => expect(kept({}, url).query).toEqual(query));

  test('named like properties of a prototype are values like any other', () => {
    const { query } = kept({}, '/?__proto__=a&constructor=b&toString=c');
    expect(JSON.stringify(query)).toBe('{"__proto__":"a","constructor":"b","toString":"c"}');
    expect(({} as Record<string, unknown>).a).toBeUndefined();
  });
});

test('reads the bytes of a header as UTF-8 if they are valid, else as Latin-1', () => {
  const asNodeReads = (bytes: number[]) => Buffer.from(bytes).toString('latin1');
  expect(kept({ 'x-a': asNodeReads([0xc3, 0xa9]) }).headers).toEqual({ 'x-a': 'é' });
  expect(kept({ 'x-a': asNodeReads([0xe9]) }).headers).toEqual({ 'x-a': 'é' });
});

test('keeps 32 headers and 32 parameters, and says that there were more', () => {
  const headers = Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`x-${i}`, 'v']));
  const parameters = Array.from({ length: 33 }, (_, i) => `p${i}=v`).join('&');
  const both = kept(headers, `/?${parameters}`);
  expect(Object.keys(both.headers)).toHaveLength(32);
  expect(Object.keys(both.query)).toHaveLength(32);
  expect(both.truncated).toBe(true);
  const { 'x-32': _, ...fewer } = headers;
  expect(kept(fewer).truncated).toBeUndefined();
});

test('leaves out a value that does not fit, and keeps smaller ones after it', () => {
  const request = kept({ 'x-a': 'a'.repeat(3_000), 'x-b': 'b'.repeat(3_000), 'x-c': 'c' });
  expect(Object.keys(request.headers)).toEqual(['x-a', 'x-c']);
  expect(request.truncated).toBe(true);
});

const name = fc.stringMatching(/^[a-z0-9_-]{1,20}$/);
const value = fc.string({
  maxLength: 2_000,
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
});
const headerName = fc
  .tuple(fc.constantFrom('x-', 'ce-', 'webhook-', ''), name)
  .map(([front, rest]) => front + rest);

test('of any request: nothing secret, at most 4 KiB, and every kept value is one that was sent', () => {
  const property = fc.property(
    fc.dictionary(headerName, value, { maxKeys: 60 }),
    fc.array(fc.tuple(fc.string({ maxLength: 10 }), fc.string({ maxLength: 500 })), { maxLength: 50 }),
    (headers, parameters) => {
      const search = new URLSearchParams(parameters);
      const request = kept(headers, `/api/v1/webhook/t?${search}`);
      const sent = new URLSearchParams(search.toString());
      let bytes = 0;
      for (const [key, given] of Object.entries(request.query)) {
        expect([given].flat()).toEqual([...sent.getAll(key)].slice(0, [given].flat().length));
        for (const one of [given].flat()) bytes += Buffer.byteLength(key) + Buffer.byteLength(one);
      }
      for (const [key, given] of Object.entries(request.headers)) {
        expect([headers[key], Buffer.from(headers[key] as string, 'latin1').toString()]).toContain(given);
        bytes += Buffer.byteLength(key) + Buffer.byteLength(given as string);
      }
      expect(bytes).toBeLessThanOrEqual(4_096);
      const names = [...Object.keys(request.query), ...Object.keys(request.headers)].join('\n');
      expect(names).not.toMatch(/auth|token|secret|signature|cookie|key|forwarded/i);
    },
  );
  fc.assert(property);
});
