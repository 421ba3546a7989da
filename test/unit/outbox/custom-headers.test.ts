import { expect, test } from '@jest/globals';
import { headerError, headersError, withHeaders } from '../../../workers/outbox/custom-headers.js';

test.each([
  ['authorization', 'Bearer a.b-c=='],
  ['X-Tenant', 'größer: "1", a=b'],
  ["!#$%&'*+.^_`|~", '1'],
  ['cookie', 'a=b; c=d'],
  ['x-tabs', 'a\tb'],
  ['x-removed', null],
])('%s: %j can be sent', (name, value) => {
  expect(headerError(name, value)).toBeNull();
});

test.each([
  ...['', 'a b', 'a:b', 'a\r\nb', 'größe', 'x'.repeat(101)].map((name) => [name, 'v', 'must have names of']),
  ...[
    'Host',
    'user-agent',
    'Content-Type',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Webhook-Signature',
    'proxy-authorization',
    'expect',
    'accept-encoding',
  ].map((name) => [name, 'v', 'which Muster sets itself']),
  ...['', ' a', 'a ', 'a\r\nhost: b', 'a\nb', 'a\0', 'a\u007f', '\u0085', '€', 'x'.repeat(4_001)].map(
    (value) => ['x-own', value, 'has an invalid value of x-own'],
  ),
])('%j: %j cannot', (name, value, why) => {
  expect(headerError(name ?? '', value ?? null)).toContain(why);
});

test('a change replaces and removes headers, whatever the case of their names', () => {
  const changed = withHeaders({ a: '1', b: '2', c: '3' }, { A: '4', B: null, D: '5' });
  expect(changed).toEqual({ a: '4', c: '3', d: '5' });
  expect(withHeaders({}, JSON.parse('{"__proto__":"1"}'))).toEqual(JSON.parse('{"__proto__":"1"}'));
});

test('there are limits for all headers together', () => {
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, value]));
  expect(headersError(many(20, 'v'))).toBeNull();
  expect(headersError(many(21, 'v'))).toContain('at most 20');
  expect(headersError(many(3, 'v'.repeat(3_000)))).toContain('8000 characters');
});
