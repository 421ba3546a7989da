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

const typed = (type: string, body: string): Sent => ({ ...nobody, type, body });

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
  badBody(
    'a line break in a text',
    '{"a":"b\nc"}',
    'malformed_json',
    'column 8. A text contains a raw line break',
  ),
  badBody('a quote in a text', '{"a":"b "c" d"}', 'malformed_json', 'column 9. This quote ends the text'),
  badBody('a key without quotes', '{"a":1,bc:2}', 'malformed_json', 'The key `bc`'),
  [
    'an unknown charset',
    SEND,
    typed('application/json; charset=klingon', '{}'),
    400,
    'charset_unknown',
    '"klingon"',
  ],
  ['two charsets', SEND, typed('text/plain; charset=latin1', '\uFEFF{}'), 400, 'charset_conflict', 'utf-8'],
  [
    'XML',
    SEND,
    typed('text/xml', '<a/>'),
    415,
    'unsupported_media_type',
    'The body is text/xml. Send a JSON',
  ],
  [
    'another multipart',
    SEND,
    typed('multipart/mixed; boundary=b', '--b'),
    415,
    'unsupported_media_type',
    'multipart/mixed',
  ],
  [
    'a text as multipart',
    SEND,
    typed('multipart/form-data; boundary=b', '--b\r\n\r\na\r\n--b--'),
    415,
    'unsupported_media_type',
    'not a JSON object',
  ],
  [
    'half of multipart',
    SEND,
    typed('multipart/form-data; boundary=b', '--b\r\n\r\n{}'),
    400,
    'malformed_body',
    'multipart/form-data',
  ],
  [
    'too many fields',
    SEND,
    typed('application/x-www-form-urlencoded', 'a=1&'.repeat(1_001)),
    413,
    'too_large',
    '1,000 fields',
  ],
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
  [
    'an unknown coding',
    SEND,
    coded('zstd', '{}'),
    415,
    'unsupported_media_type',
    '"zstd". Send the body with gzip',
  ],
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
