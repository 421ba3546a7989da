import { deflateSync, gzipSync } from 'node:zlib';
import { CANARY } from '../../../support/hostile/scene.js';
import type { BadInput, Sent } from './case.js';

const SEND = 'POST /api/v1/webhook/{token}';
const nobody = { as: 'nobody' } as const;
const event: Sent = { ...nobody, json: { a: CANARY } };
const coded = (coding: string, body: string | Uint8Array): Sent => ({
  ...nobody,
  body,
  headers: { 'content-encoding': coding },
});

const badBody = (what: string, body: string | Uint8Array, code: string, says = ''): BadInput => [
  what,
  SEND,
  { ...nobody, type: 'application/json', body },
  400,
  code,
  says,
];

export const intakeCases: readonly BadInput[] = [
  ['a malformed token', 'POST /api/v1/webhook/x', event, 404, 'not_found'],
  ['an unknown token', `POST /api/v1/webhook/${'a'.repeat(32)}`, event, 404, 'not_found'],
  ['no token', 'POST /api/v1/webhook/', event, 404, 'not_found'],
  ['a path behind the token', 'POST /api/v1/webhook/{token}/x', event, 404, 'not_found'],
  ['a token of 5,000 characters', `POST /api/v1/webhook/${'a'.repeat(5_000)}`, event, 404, 'not_found'],
  ['a NUL in a token', 'POST /api/v1/webhook/%00', event, 404, 'not_found'],
  badBody('nothing', '', 'empty_body'),
  badBody('only spaces', ' \n', 'malformed_json'),
  badBody('text', CANARY, 'malformed_json'),
  badBody('half of a document', `{"a":"${CANARY}"`, 'malformed_json'),
  badBody('two documents', '{}{}', 'malformed_json'),
  badBody('bytes in another encoding', Buffer.from('["\xff"]', 'latin1'), 'malformed_json'),
  badBody('too deep a document', '['.repeat(5_000) + ']'.repeat(5_000), 'too_deep'),
  ['a body of 30 KB', SEND, { ...nobody, json: 'x'.repeat(30_000) }, 413, 'too_large', '20000 bytes'],
  [
    'gzip of 30 KB',
    SEND,
    coded('gzip', gzipSync(JSON.stringify('x'.repeat(30_000)))),
    413,
    'too_large',
    '20000 bytes',
  ],
  [
    'deflate of 30 KB',
    SEND,
    coded('deflate', deflateSync(JSON.stringify('x'.repeat(30_000)))),
    413,
    'too_large',
  ],
  ['text that says gzip', SEND, coded('gzip', '{}'), 400, 'malformed_body'],
  ['half of gzip', SEND, coded('gzip', gzipSync('{"a":1}').subarray(0, 15)), 400, 'malformed_body'],
  ['an unknown coding', SEND, coded('zstd', '{}'), 415, 'unsupported_media_type', '"zstd"'],
  ['two codings', SEND, coded('gzip, gzip', '{}'), 415, 'unsupported_media_type'],
  ['a probe of an unknown token', 'GET /api/v1/webhook/x', nobody, 404, 'not_found'],
  ['a question about an unknown token', 'OPTIONS /api/v1/webhook/x', nobody, 404, 'not_found'],
  ['deleting a URL', 'DELETE /api/v1/webhook/{token}', nobody, 405, 'method_not_allowed', 'POST'],
  [
    'an event sent with GET',
    'GET /api/v1/webhook/{token}?message=x',
    nobody,
    405,
    'method_not_allowed',
    'POST',
  ],
];
