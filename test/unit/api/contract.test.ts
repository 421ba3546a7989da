import { expect, test } from '@jest/globals';
import { type Arrived, checkContract } from '../../support/api/contract.js';

/** Returns a response of `GET /healthz` with some differences. */
const response = (
  more: Partial<Omit<Arrived, 'headers'>> = {},
  headers: Record<string, string> = {},
): Arrived => ({
  status: 200,
  text: '{"status":"success"}',
  ...more,
  headers: new Headers({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': 'r',
    ...headers,
  }),
});

test('accepts a response that the document describes', () => {
  expect(() => checkContract('GET', '/healthz', response())).not.toThrow();
  expect(() => checkContract('HEAD', '/healthz', response({ text: '' }))).not.toThrow();
});

test.each<[string, Arrived, RegExp]>([
  ['status', response({ status: 202 }), /status 202 is not documented/],
  ['header', response({}, { 'x-secret': 'a' }), /header x-secret is not documented/],
  [
    'media type',
    response({}, { 'content-type': 'text/plain' }),
    /media type "text\/plain" is not documented/,
  ],
  ['property', response({ text: '{"status":"success","more":1}' }), /additional properties.*more/],
  ['value', response({ text: '{"status":"well"}' }), /the body of 200\/status: must be equal to constant/],
  [
    'error body',
    response({ status: 400, text: '{"status":"error"}' }),
    /must have required property 'message'/,
  ],
])('rejects a %s that the document does not describe', (_, arrived, problem) => {
  expect(() => checkContract('GET', '/healthz', arrived)).toThrow(problem);
});

test('requires every header that the document marks as required', () => {
  const arrived = response();
  arrived.headers.delete('x-request-id');
  expect(() => checkContract('GET', '/healthz', arrived)).toThrow('header X-Request-Id is missing');
});

test('an error that the document does not list must have the error body', () => {
  const arrived = response({ status: 404, text: '{"error":"no"}' });
  expect(() => checkContract('GET', '/nowhere', arrived)).toThrow('the body of 404');
});
