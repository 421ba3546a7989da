import { CANARY } from '../../../support/hostile/scene.js';
import { type BadInput, badBody } from './case.js';

const CREATE = 'POST /v2/webhooks';
const CHANGE = 'PATCH /v2/webhooks/{webhook}';
const ROTATE = 'POST /v2/webhooks/{webhook}/rotate';
const REMAP = 'POST /v2/webhooks/{webhook}/remap';
const name = 'x';

const badSignature = (what: string, signature: unknown, says: string): BadInput =>
  badBody(what, CREATE, { name, signature }, says);

export const webhookCases: readonly BadInput[] = [
  badBody('a list', CREATE, [], 'must be an object'),
  badBody('no name', CREATE, {}, 'name: is required'),
  badBody('a blank name', CREATE, { name: ' ' }, 'name: must'),
  badBody('a long name', CREATE, { name: 'x'.repeat(101) }, 'name: must have at most 100'),
  badBody('a NUL in a name', CREATE, { name: `a\0${CANARY}` }, 'name: '),
  badBody(
    'a long description',
    CREATE,
    { name, description: 'x'.repeat(1_001) },
    'description: must have at most 1000',
  ),
  badBody(
    'an unknown template',
    CREATE,
    { name, template: CANARY },
    'template: must be a name',
    'unknown_template',
  ),
  badBody(
    'a prototype as template',
    CREATE,
    { name, template: '__proto__' },
    'template: must be a name',
    'unknown_template',
  ),
  badBody('an unknown property', CREATE, { name, url: 'x' }, 'url: unknown'),
  badBody(
    'a rate of 0',
    CREATE,
    { name, rateLimit: { eventsPerMinute: 0 } },
    'rateLimit.eventsPerMinute: must',
  ),
  badBody(
    'a rate of 1e308',
    CREATE,
    { name, rateLimit: { eventsPerMinute: 1e308 } },
    'rateLimit.eventsPerMinute: must',
  ),
  badBody(
    'a rate of 1.5',
    CREATE,
    { name, rateLimit: { eventsPerMinute: 1.5 } },
    'rateLimit.eventsPerMinute: must be an integer',
  ),
  badBody(
    'another status',
    CREATE,
    { name, rateLimit: { eventsPerMinute: 1, overLimitStatus: 200 } },
    'rateLimit.overLimitStatus: must be',
  ),
  badBody('an unknown challenge', CREATE, { name, challenge: 'tea' }, 'challenge: must be one of'),
  badSignature('an unknown scheme', { scheme: CANARY }, 'signature.scheme: must be one of'),
  badSignature('a signature as text', CANARY, 'signature: must be an object'),
  badSignature('no secret', { scheme: 'github' }, 'signature.secret: '),
  badSignature('a short secret', { scheme: 'github', secret: 'x' }, 'signature.secret: must'),
  badSignature(
    'an unknown mode',
    { scheme: 'github', secret: `${CANARY}-secret`, mode: 'off' },
    'signature.mode: must be one of',
  ),
  badSignature(
    'an unknown parameter',
    { scheme: 'github', secret: `${CANARY}-secret`, parameters: { a: 'b' } },
    'signature.parameters.a: unknown parameter',
  ),
  ['an unknown integration', 'GET /v2/webhooks/{unknown}', {}, 404, 'not_found', 'webhook does not exist'],
  ['changing an unknown one', 'PATCH /v2/webhooks/{unknown}', { json: { name } }, 404, 'not_found'],
  badBody('no change', CHANGE, {}, 'must have at least one property'),
  badBody('null as name', CHANGE, { name: null }, 'name: must be a string'),
  badBody('a change of the template', CHANGE, { template: 'github' }, 'template: unknown'),
  badBody(
    'a secret without a scheme',
    CHANGE,
    { signature: { secret: `${CANARY}-secret` } },
    'signature.scheme: is required',
  ),
  badBody(
    'no change of the signature',
    CHANGE,
    { signature: {} },
    'signature: must have at least one property',
  ),
  badBody(
    'a negative grace',
    CHANGE,
    { signature: { scheme: 'github', graceSeconds: -1 } },
    'signature.graceSeconds: must',
  ),
  [
    'a tag without quotes',
    CHANGE,
    { json: { name }, headers: { 'if-match': '7' } },
    400,
    'invalid_if_match',
    'If-Match',
  ],
  [
    'an older revision',
    CHANGE,
    { json: { name }, headers: { 'if-match': '"99"' } },
    412,
    'precondition_failed',
    '',
  ],
  ['a large body', CHANGE, { json: { description: 'x'.repeat(70_000) } }, 413, 'too_large', '65536 bytes'],
  ['deleting an unknown one', 'DELETE /v2/webhooks/{unknown}', {}, 404, 'not_found'],
  badBody('a grace of 31 days', ROTATE, { graceSeconds: 31 * 86_400 }, 'graceSeconds: must be at most'),
  badBody('a grace as text', ROTATE, { graceSeconds: '5' }, 'graceSeconds: must be'),
  ['rotating an unknown one', 'POST /v2/webhooks/{unknown}/rotate', { json: {} }, 404, 'not_found'],
  badBody('an unknown revision', REMAP, { revision: 99 }, 'revision: must be one of', 'unknown_revision'),
  badBody('a revision of 0', REMAP, { revision: 0 }, 'revision: must'),
  badBody('a time in words', REMAP, { from: 'today' }, 'from: must be a time'),
  badBody(
    'an end before the start',
    REMAP,
    { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
    'to: must be later than from',
  ),
  badBody('a flag as number', REMAP, { dryRun: 1 }, 'dryRun: must be true or false'),
  ['remapping an unknown one', 'POST /v2/webhooks/{unknown}/remap', { json: {} }, 404, 'not_found'],
  ['a forged cursor', 'GET /v2/webhooks?cursor=WzIsImEiLFtdXQ', {}, 400, 'invalid_cursor', 'different list'],
  [
    'an unsafe repetition',
    CREATE,
    { json: { name: '' }, headers: { 'idempotency-key': 'a b' } },
    400,
    'invalid_idempotency_key',
    '',
  ],
];
