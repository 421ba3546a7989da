import { CANARY } from '../../../support/hostile/scene.js';
import { type BadInput, badBody } from './case.js';

const CREATE = 'POST /v2/webhook-templates';
const CHANGE = 'PATCH /v2/webhook-templates/saved';
const RECOGNIZE = 'POST /v2/webhook-templates/recognize';
const mapping = { fields: {} };
const sample = { a: CANARY };
const good = { name: 'new', mapping, sample };

const deep = (() => {
  let value: unknown = 1;
  for (let i = 0; i < 200; i++) value = [value];
  return value;
})();

export const templateCases: readonly BadInput[] = [
  badBody('no properties', CREATE, {}, 'sample: must be a payload'),
  badBody(
    'capitals in a name',
    CREATE,
    { ...good, name: 'New' },
    'name: must have 1 to 40 lower-case letters',
  ),
  badBody('a path as name', CREATE, { ...good, name: '../x' }, 'name: must have 1 to 40'),
  badBody('a prototype as name', CREATE, { ...good, name: '__proto__' }, 'name: must have 1 to 40'),
  badBody('a name of 41 letters', CREATE, { ...good, name: 'x'.repeat(41) }, 'name: must have 1 to 40'),
  badBody('a long title', CREATE, { ...good, title: 'x'.repeat(101) }, 'title: must have at most 100'),
  badBody('a NUL in a title', CREATE, { ...good, title: 'a\0b' }, 'title: '),
  badBody(
    'a sample of 70 KB',
    CREATE,
    { ...good, sample: 'x'.repeat(70_000) },
    'sample: must have at most 65,536 bytes',
  ),
  badBody('too deep a sample', CREATE, { ...good, sample: deep }, 'sample: must be nested at most'),
  badBody('an unknown property', CREATE, { ...good, origin: 'saved' }, 'origin: unknown'),
  [
    'a text as mapping',
    CREATE,
    { json: { ...good, mapping: CANARY } },
    422,
    'invalid_mapping',
    'must be an object',
  ],
  ['a name that is taken', CREATE, { json: { ...good, name: 'saved' } }, 409, 'name_taken', 'exists already'],
  ['a name of the catalogue', CREATE, { json: { ...good, name: 'alertmanager' } }, 409, 'name_taken'],
  ['a body of 600 KB', CREATE, { json: { ...good, sample: 'x'.repeat(600_000) } }, 413, 'too_large'],
  [
    'an unknown template',
    'GET /v2/webhook-templates/unknown',
    {},
    404,
    'not_found',
    'template does not exist',
  ],
  [
    'changing an unknown one',
    'PATCH /v2/webhook-templates/unknown',
    { json: { title: 'x' } },
    404,
    'not_found',
  ],
  [
    'changing the catalogue',
    'PATCH /v2/webhook-templates/alertmanager',
    { json: { title: 'x' } },
    409,
    'catalogue_template',
    'Only saved',
  ],
  badBody('no change', CHANGE, {}, 'must have at least one property'),
  badBody('a change of the name', CHANGE, { name: 'other' }, 'name: unknown'),
  [
    'an older revision',
    CHANGE,
    { json: { title: 'x' }, headers: { 'if-match': '"9"' } },
    412,
    'precondition_failed',
  ],
  [
    'a tag without quotes',
    CHANGE,
    { json: { title: 'x' }, headers: { 'if-match': '9' } },
    400,
    'invalid_if_match',
  ],
  ['deleting an unknown one', 'DELETE /v2/webhook-templates/unknown', {}, 404, 'not_found'],
  [
    'deleting one of the catalogue',
    'DELETE /v2/webhook-templates/alertmanager',
    {},
    409,
    'catalogue_template',
  ],
  badBody('no payload', RECOGNIZE, {}, 'payload: must be a payload'),
  badBody('a request as text', RECOGNIZE, { payload: sample, request: CANARY }, 'request: must be an object'),
  badBody(
    'headers of numbers',
    RECOGNIZE,
    { payload: sample, request: { headers: { a: 1 } } },
    'request.headers.a: must be',
  ),
  ['a payload of 2 MB', RECOGNIZE, { json: { payload: 'x'.repeat(2_000_000) } }, 413, 'too_large'],
];
