import { CANARY } from '../../../support/hostile/scene.js';
import { type BadInput, badBody } from './case.js';

const PATCH = 'PATCH /v2/developers/identities';
const DELETE = 'DELETE /v2/developers/identities';
const good = { email: 'ada@example.com', integrationId: 7, identity: CANARY };
const type = 'application/json';

const badRecord = (what: string, record: unknown, says: string): BadInput =>
  badBody(what, PATCH, [good, record], says, 'invalid_records');

const badJson = (what: string, body: string | Uint8Array, code: string, says: string): BadInput => [
  what,
  PATCH,
  { type, body },
  400,
  code,
  says,
];

const nested = (levels: number): string => `[{"a":${'['.repeat(levels)}${']'.repeat(levels)}}]`;

export const recordCases: readonly BadInput[] = [
  badJson('an object', '{}', 'not_an_array', 'must be a JSON array'),
  badJson('a number', '1', 'not_an_array', 'must be a JSON array'),
  badJson('no records', '[]', 'invalid_records', 'must not be empty'),
  badJson('a text behind the array', `[${JSON.stringify(good)}] x`, 'malformed_json', 'line 1'),
  badJson('a comma at the end', `[${JSON.stringify(good)},]`, 'malformed_json', 'line 1'),
  badJson('a comment', '[/* none */]', 'malformed_json', 'line 1, column 2'),
  badJson('NaN', '[{"email":NaN}]', 'malformed_json', 'line 1'),
  badJson('too deep a record', nested(200), 'too_deep', 'nested deeper than'),
  badJson('100,000 brackets', '['.repeat(100_000), 'too_deep', 'nested deeper than'),
  badJson(
    '10,001 records',
    `[${Array(10_001).fill('{}').join()}]`,
    'invalid_records',
    'at most 10000 entries',
  ),
  badJson(
    'a repeated name',
    '[{"email":"a@b.org","email":"c@d.org","integrationId":7,"identity":"a"}]',
    'invalid_records',
    'record 0, email: ',
  ),
  badJson(
    'a number above 2^53',
    '[{"email":"a@b.org","integrationId":9007199254740993,"identity":"a"}]',
    'invalid_records',
    'record 0, integrationId: ',
  ),
  badJson(
    'a number of 400 digits',
    `[{"email":"a@b.org","integrationId":${'9'.repeat(400)},"identity":"a"}]`,
    'invalid_records',
    'record 0, integrationId: ',
  ),
  badJson(
    'a number of 1e0',
    '[{"email":"a@b.org","integrationId":1e0,"identity":"a"}]',
    'invalid_records',
    'record 0, integrationId: ',
  ),
  badJson(
    'half a character',
    '[{"email":"a@b.org","integrationId":7,"identity":"\\ud800"}]',
    'invalid_records',
    'record 0, identity: ',
  ),
  badRecord('null', null, 'record 1'),
  badRecord('a list as record', [], 'record 1'),
  badRecord('no properties', {}, 'record 1, email: '),
  badRecord('an email without @', { ...good, email: CANARY }, 'record 1, email: must be an email address'),
  badRecord(
    'an email of 300 characters',
    { ...good, email: `${'a'.repeat(300)}@b.org` },
    'record 1, email: ',
  ),
  badRecord('a list as email', { ...good, email: ['a@b.org'] }, 'record 1, email: must be'),
  badRecord('an integration as text', { ...good, integrationId: '7' }, 'record 1, integrationId: must be'),
  badRecord('an integration of 0', { ...good, integrationId: 0 }, 'record 1, integrationId: must be'),
  badRecord('an account as number', { ...good, identity: 42 }, 'record 1, identity: must be'),
  badRecord('a NUL', { ...good, identity: 'a\0b' }, 'record 1, identity: '),
  badRecord('a character that turns the text', { ...good, identity: 'a\u202eb' }, 'record 1, identity: '),
  badRecord('an invisible character', { ...good, identity: 'a\u200bb' }, 'record 1, identity: '),
  badRecord('an account of 256 characters', { ...good, identity: 'x'.repeat(256) }, 'record 1, identity: '),
  [
    'an option for CSV',
    `${PATCH}?onError=continue`,
    { json: [good] },
    400,
    'invalid_query',
    'onError: applies to CSV only',
  ],
  [
    'a mirror of JSON',
    `${PATCH}?mode=mirror&integrationIds=7&maxRemovals=1`,
    { json: [good] },
    400,
    'invalid_query',
    'mode: applies to CSV only',
  ],
  [
    'compressed JSON',
    PATCH,
    { json: [good], headers: { 'content-encoding': 'gzip' } },
    415,
    'unsupported_media_type',
  ],
  ['removing nothing', DELETE, { json: [] }, 400, 'invalid_records', 'must not be empty'],
  [
    'a mirror that removes',
    `${DELETE}?mode=mirror`,
    { json: [good] },
    400,
    'invalid_query',
    'mode: unknown parameter',
  ],
];
