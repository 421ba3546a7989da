import { CANARY } from '../../../support/hostile/scene.js';
import { type BadInput, badBody } from './case.js';

const CREATE = 'POST /v2/keys';
const scopes = ['alerts:read'];
const bearer = (text: string) => ({ headers: { authorization: text } });

const badKey = (what: string, json: unknown, says: string): BadInput => badBody(what, CREATE, json, says);

export const keyCases: readonly BadInput[] = [
  ['another scheme', 'GET /v2/keys', bearer(`Token ${CANARY}`), 401, 'missing_api_key', 'ApiKey <key>'],
  ['only the scheme', 'GET /v2/keys', bearer('ApiKey'), 401, 'missing_api_key'],
  ['two keys', 'GET /v2/keys', bearer('ApiKey a b'), 401, 'missing_api_key'],
  ['a key that is cut off', 'GET /v2/keys', bearer('ApiKey mstr_abc'), 401, 'malformed_api_key', 'complete'],
  [
    'a key of 10,000 characters',
    'GET /v2/keys',
    bearer(`ApiKey ${'a'.repeat(10_000)}`),
    401,
    'malformed_api_key',
  ],
  ['a key with quotes', 'GET /v2/keys', bearer(`ApiKey ' OR 1=1 -- `), 401, 'missing_api_key'],
  badKey('an array', [], 'must be an object'),
  badKey('null', null, 'must be an object'),
  badKey('a text', CANARY, 'must be an object'),
  badKey('no properties', {}, 'scopes: is required'),
  badKey('a number as name', { name: 1, scopes }, 'name: must be a string'),
  badKey('a blank name', { name: ' \t', scopes }, 'name: must'),
  badKey('a long name', { name: 'x'.repeat(101), scopes }, 'name: must have at most 100'),
  badKey('a NUL in a name', { name: `a\0${CANARY}`, scopes }, 'name: '),
  [
    'half a character in a name',
    CREATE,
    { body: '{"name":"\\ud83d","scopes":["admin"]}', type: 'application/json' },
    400,
    'invalid_body',
    'name: ',
  ],
  badKey('no scope', { name: 'x', scopes: [] }, 'scopes: must'),
  badKey('an unknown scope', { name: 'x', scopes: [CANARY] }, 'scopes.0: must be one of'),
  badKey('a scope as text', { name: 'x', scopes: 'admin' }, 'scopes: must be an array'),
  badKey('3,000 scopes', { name: 'x', scopes: Array(3_000).fill('admin') }, 'scopes: '),
  badKey('an unknown property', { name: 'x', scopes, expires: 1 }, 'did you mean expiresAt'),
  [
    'a prototype',
    CREATE,
    { body: '{"name":"x","scopes":["admin"],"__proto__":{"a":1}}', type: 'application/json' },
    400,
    'invalid_body',
    '__proto__: unknown',
  ],
  badKey(
    'a date without a time',
    { name: 'x', scopes, expiresAt: '2099-01-01' },
    'expiresAt: must be a time',
  ),
  badKey(
    'a time that is over',
    { name: 'x', scopes, expiresAt: '2001-01-01T00:00:00Z' },
    'expiresAt: must be in the future',
  ),
  badKey('a number as time', { name: 'x', scopes, expiresAt: 1e308 }, 'expiresAt: must be a time'),
  [
    'a body of 70 KB',
    CREATE,
    { json: { name: 'x'.repeat(70_000), scopes } },
    413,
    'too_large',
    '65536 bytes',
  ],
  ['the type text/plain', CREATE, { type: 'text/plain', body: '{}' }, 415, 'unsupported_media_type'],
  [
    'a forged cursor',
    'GET /v2/keys?cursor=W10',
    {},
    400,
    'invalid_cursor',
    'cursor: it must be the unchanged',
  ],
  [
    'a cursor that is not base64',
    'GET /v2/keys?cursor=%00%ff',
    {},
    400,
    'invalid_cursor',
    'cursor: it must be',
  ],
  [
    'a cursor of 5,000 characters',
    `GET /v2/keys?cursor=${'a'.repeat(5_000)}`,
    {},
    400,
    'invalid_query',
    'cursor: must have at most 4000',
  ],
  ['a malformed id', 'DELETE /v2/keys/x', {}, 404, 'not_found', 'API key does not exist: `id`'],
  ['an unknown id', 'DELETE /v2/keys/{unknown}', {}, 404, 'not_found', 'API key does not exist'],
];
