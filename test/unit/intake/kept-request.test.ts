import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keptRequest } from '../../../api/intake/request/kept-request.js';
import { NO_NAMES } from '../../../api/intake/request/read-names.js';
import {
  compileMapping,
  type EventRequest,
  parseRequest,
  type RequestNames,
  requestNames,
} from '../../../workers/mapping/index.js';

const ALL: RequestNames = { headers: 'all', query: 'all' };

/** Returns what is kept of a request, for a mapping that reads all of it by default. */
function kept(headers: Record<string, string>, url = '/', read = ALL): EventRequest {
  const rawHeaders = Object.entries(headers).flat();
  return parseRequest(keptRequest({ method: 'POST', url, headers, rawHeaders }, read)) as EventRequest;
}

/** Returns what a mapping with this template or expression as its title reads. */
function readBy(title: { template: string } | { expression: string }): RequestNames {
  const compiled = compileMapping({ fields: { title } });
  if ('errors' in compiled) throw new Error(compiled.errors[0]?.message);
  return requestNames(compiled.mapping);
}

const token = (length: number) => 'aB3xK9mQ2zL7pR4tY8wN'.repeat(9).slice(0, length);
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

test.each(['pwd', 'pass', 'code', 'sas', 'jwt', 'session', 'otp', 'X-Amz-Sig', 'anything', 'p'])(
  'masks the query parameter %s, which no mapping reads',
  (name) => {
    const request = kept(
      {},
      `/?${name}=hidden&${name}=hidden&env=prod`,
      readBy({ template: '{{request.query.env}}' }),
    );
    expect(request.query).toEqual({ env: 'prod' });
    expect(request.masked).toEqual({ query: [name], headers: [] });
    expect(JSON.stringify(request)).not.toContain('hidden');
  },
);

test.each([
  'x-jwt-assertion',
  'x-goog-iap-jwt-assertion',
  'x-amzn-oidc-data',
  'x-session-id',
  'x-sig',
  'x-ssl-client-cert',
  'x-real-ip',
  'x-anything',
  'ce-extension',
  'webhook-anything',
])('masks the header %s, which no mapping reads', (name) => {
  const request = kept({ [name]: 'hidden', 'x-github-event': 'push' }, '/', NO_NAMES);
  expect(request.headers).toEqual({ 'x-github-event': 'push' });
  expect(request.masked).toEqual({ query: [], headers: [name] });
  expect(JSON.stringify(request)).not.toContain('hidden');
});

test.each([
  [{ template: '{{request.headers.x-a}} {{request.query.b}}' }, ['x-a'], ['b']],
  [{ template: '{{webhook.a|request.query.b}}' }, [], ['b']],
  [
    { template: '{{#webhook.list}}{{request.headers.sentry-hook-resource}}{{/webhook.list}}' },
    ['sentry-hook-resource'],
    [],
  ],
  [{ template: '{{request.query["a.b"]}}{{request.query.c.d}}' }, [], ['a.b', 'c', 'c.d']],
  [{ expression: 'has(request.query.b) ? request.headers["x-a"] : "none"' }, ['x-a'], ['b']],
  [{ template: '{{#request.query}}{{b}}{{/request.query}}' }, [], 'all'],
  [{ template: '{{request.headers}}' }, 'all', []],
  [{ expression: 'request.headers[webhook.name]' }, 'all', []],
  [{ template: '{{request.method}} {{webhook.request.query.a}}' }, [], []],
])('a mapping with %j reads these names', (title, headers, query) => {
  const names = readBy(title);
  const listed = (one: RequestNames['query']) => (one === 'all' ? one : [...one]);
  expect([listed(names.headers), listed(names.query)]).toEqual([headers, query]);
});

test('a filter reads names too, and a header is kept whatever its name if the mapping names it', () => {
  const compiled = compileMapping({
    filter: 'request.headers["sentry-hook-resource"] != "metric"',
    fields: {},
  });
  const read = 'mapping' in compiled ? requestNames(compiled.mapping) : NO_NAMES;
  const { headers } = kept(
    { 'sentry-hook-resource': 'issue', host: 'h', authorization: 'hidden' },
    '/',
    read,
  );
  expect(headers).toEqual({ 'sentry-hook-resource': 'issue' });
});

test.each([
  ['a JSON Web Token', JWT],
  ['a bearer token', `Bearer ${JWT}`],
  ['32 random characters', token(32)],
  ['a key in a text', `key ${token(40)} of a sender`],
  ['base64', 'kR7wZl0+8yQeWm1c/3nB5tVxJ2aHsD4fG6pUoYiLqTA='],
  ['a hexadecimal digest', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
])('masks %s although the mapping reads it', (_, value) => {
  const request = kept({ 'x-a': value }, `/?b=${encodeURIComponent(value)}&b=plain`);
  expect([request.headers, request.query]).toEqual([{}, {}]);
  expect(request.masked).toEqual({ query: ['b'], headers: ['x-a'] });
});

test.each([
  '72d3162e-cc78-11e3-81ab-4c9367dc0958',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'production-kubernetes-cluster-eu-west-1-zone-2',
  'ProductionKubernetesClusterEuropeWest1Zone2',
  'arn:aws:sns:eu-central-1:123456789012:disk-alarms-of-the-payment-service',
  '2026-11-25T22:10:00.123456Z',
  'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
  '/var/lib/docker/overlay2/containers/payment-service/logs',
])('keeps %s, which a mapping reads', (value) => {
  expect(kept({ 'x-a': value }).headers).toEqual({ 'x-a': value });
});

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
  expect(parseRequest(keptRequest({ method: 'PUT', url: '/', headers, rawHeaders }, ALL))).toEqual({
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
      const masked = [...(request.masked?.query ?? []), ...(request.masked?.headers ?? [])];
      for (const name of masked) bytes += Buffer.byteLength(name);
      expect(bytes).toBeLessThanOrEqual(4_096);
      const names = [...Object.keys(request.query), ...Object.keys(request.headers), ...masked].join('\n');
      expect(names).not.toMatch(/auth|token|secret|signature|cookie|key|forwarded/i);
    },
  );
  fc.assert(property);
});
