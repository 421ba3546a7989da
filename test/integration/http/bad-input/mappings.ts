import { CANARY } from '../../../support/hostile/scene.js';
import { type BadInput, badBody } from './case.js';

const PUT = 'PUT /v2/webhooks/{webhook}/mapping';
const PREVIEW = 'POST /v2/webhooks/{webhook}/preview';
const REVISIONS = 'GET /v2/webhooks/{webhook}/mapping/revisions';

const bad = (what: string, json: unknown, says: string): BadInput => [
  what,
  PUT,
  { json },
  422,
  'invalid_mapping',
  says,
];
const badTemplate = (what: string, template: unknown, says: string): BadInput =>
  bad(what, { fields: { title: { template } } }, says);
const badExpression = (what: string, expression: string, says = 'fields.title.expression: '): BadInput =>
  bad(what, { fields: { title: { expression } } }, says);
const badPreview = (what: string, json: unknown, says: string): BadInput =>
  badBody(what, PREVIEW, json, says);

const payload = { a: CANARY };
const deep = `{"payload":${'['.repeat(300)}${']'.repeat(300)}}`;

export const mappingCases: readonly BadInput[] = [
  bad('null', null, 'must be an object'),
  bad('a list', [], 'must be an object'),
  bad('no fields', {}, 'fields: is required'),
  bad('an unknown field', { fields: { colour: { template: 'x' } } }, 'colour'),
  bad('an unknown property', { fields: {}, filters: 'x' }, 'filters'),
  bad('a field as text', { fields: { title: CANARY } }, 'fields.title: must be an object'),
  bad(
    'a template and an expression',
    { fields: { title: { template: 'a', expression: '"a"' } } },
    'fields.title',
  ),
  bad(
    'a repeat window of more than a day',
    { fields: {}, repeatWindowSeconds: 86_401 },
    'repeatWindowSeconds: must be at most',
  ),
  bad('a blank default', { fields: { title: { default: ' ' } } }, 'fields.title.default: must not be blank'),
  bad(
    'a number in a value map',
    { fields: { severity: { template: 'x', values: { a: 1 } } } },
    'fields.severity.values.a: must be a string',
  ),
  bad('an impossible custom name', { fields: {}, custom: { '1st': { template: 'x' } } }, 'custom'),
  bad(
    '51 custom fields',
    {
      fields: {},
      custom: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`c${i}`, { template: 'x' }])),
    },
    'custom: must have at most 50',
  ),
  bad('a malformed path', { split: 'a[', fields: {} }, 'split: '),
  bad('11 paths', { expandJson: Array(11).fill('a'), fields: {} }, 'expandJson: must have at most 10'),
  badTemplate('an open tag', '{{webhook.a', 'fields.title.template: '),
  badTemplate('an open section', '{{#webhook.a}}x', 'fields.title.template: '),
  badTemplate('a partial', `{{>${CANARY}}}`, 'fields.title.template: '),
  badTemplate('other delimiters', '{{=<% %>=}}', 'fields.title.template: '),
  badTemplate('a prototype', '{{webhook.__proto__', 'fields.title.template: '),
  badTemplate('a number', 7, 'fields.title.template: must be a string'),
  badTemplate('a template of 100 KB', 'x'.repeat(100_000), 'fields.title.template: must have at most'),
  badTemplate('1,000 open sections', '{{#webhook}}'.repeat(1_000), 'fields.title.template: '),
  badExpression('half of an expression', 'webhook.a +'),
  badExpression('an unknown function', 'eval("1")'),
  badExpression('an unknown variable', `${'constructor'}.constructor("return 1")()`),
  badExpression('an open text', `"${CANARY}`),
  badExpression('an invalid pattern', 'webhook.a.matches("(")'),
  badExpression('1,000 brackets', '('.repeat(1_000)),
  badExpression('a NUL', 'webhook.a == "\0" +'),
  bad('a filter that is not a condition', { filter: '1 +', fields: {} }, 'filter: '),
  [
    'an unknown integration',
    'PUT /v2/webhooks/{unknown}/mapping',
    { json: { fields: {} } },
    404,
    'not_found',
  ],
  ['a mapping of 300 KB', PUT, { json: { fields: {}, x: 'x'.repeat(300_000) } }, 413, 'too_large', ''],
  [
    'an unknown revision to restore',
    PUT,
    { json: { revision: 99 } },
    400,
    'unknown_revision',
    'revision: must be one of',
  ],
  [
    'a tag without quotes',
    PUT,
    { json: { fields: {} }, headers: { 'if-match': 'x' } },
    400,
    'invalid_if_match',
    '',
  ],
  [
    'an older revision',
    PUT,
    { json: { fields: { title: { template: 'new' } } }, headers: { 'if-match': '"99"' } },
    412,
    'precondition_failed',
    '',
  ],
  [
    'an unknown confirmation',
    `${PUT}?confirm=yes`,
    { json: { fields: {} } },
    400,
    'invalid_query',
    'confirm: must be',
  ],
  [
    'a filter that drops everything',
    PUT,
    { json: { filter: 'false', fields: {} } },
    409,
    'filter_drops_all',
    'filter: must keep at least one',
  ],
  ['the mapping of an unknown one', 'GET /v2/webhooks/{unknown}/mapping', {}, 404, 'not_found'],
  ['revisions of an unknown one', 'GET /v2/webhooks/{unknown}/mapping/revisions', {}, 404, 'not_found'],
  ['a forged cursor', `${REVISIONS}?cursor=WzIsImEiLFtdXQ`, {}, 400, 'invalid_cursor', 'different list'],
  ['revision 0', `${REVISIONS}/0`, {}, 404, 'not_found'],
  ['an unknown revision', `${REVISIONS}/99`, {}, 404, 'not_found'],
  ['a revision of 10^30', `${REVISIONS}/1${'0'.repeat(30)}`, {}, 404, 'not_found'],
  [
    'a preview of an unknown one',
    'POST /v2/webhooks/{unknown}/preview',
    { json: { payload } },
    404,
    'not_found',
  ],
  badPreview('nothing to preview', {}, 'must have exactly one of payload'),
  badPreview('two things to preview', { payload, last: 1 }, 'must have exactly one of payload'),
  badPreview('0 events', { last: 0 }, 'last: must'),
  badPreview('101 events', { last: 101 }, 'last: must'),
  badPreview('a malformed id', { eventIds: ['x'] }, 'eventIds.0: must be a UUID'),
  badPreview('a request without a payload', { last: 1, request: { method: 'POST' } }, 'request'),
  ['an unknown event', PREVIEW, { json: { eventIds: ['{unknown}'] } }, 400, 'invalid_body', 'eventIds.0: '],
  [
    'an invalid mapping',
    PREVIEW,
    { json: { payload, mapping: { fields: { title: { template: '{{' } } } } },
    422,
    'invalid_mapping',
    'fields.title.template: ',
  ],
  [
    'too deep a payload',
    PREVIEW,
    { type: 'application/json', body: deep },
    400,
    'too_deep',
    'nested too deeply',
  ],
  ['a payload of 2 MB', PREVIEW, { json: { payload: 'x'.repeat(2_000_000) } }, 413, 'too_large', ''],
];
