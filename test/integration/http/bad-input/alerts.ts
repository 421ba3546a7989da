import { CANARY } from '../../../support/hostile/scene.js';
import { type BadInput, badQuery } from './case.js';

const LIST = 'GET /v2/alerts';
const EVENTS = 'GET /v2/events';
const FACETS = 'GET /v2/alerts/facets';
const HISTOGRAM = 'GET /v2/alerts/histogram';
const many = Array(51)
  .fill('severity=a')
  .map((one, i) => one + i)
  .join('&');

/** What the list, the facets and the histogram of alerts reject alike. */
const filters = [LIST, FACETS, HISTOGRAM].flatMap((list) => [
  badQuery('a malformed id', list, 'webhookId=x', 'webhookId'),
  badQuery('an unknown state', list, 'state=open', 'state'),
  badQuery('an unknown status', list, 'status=acknowledged', 'status'),
  badQuery('an empty filter', list, 'severity=', 'severity'),
  badQuery('51 severities', list, many, 'severity: must have at most 50'),
  badQuery('a text of 256 characters', list, `search=${'x'.repeat(256)}`, 'search: must have at most 255'),
  badQuery('a time in words', list, 'from=now', 'from: must be a time'),
  badQuery('a repeated text', list, 'search=a&search=b', 'search: must be given only once'),
]);

export const alertCases: readonly BadInput[] = [
  ...filters,
  badQuery('a range of CSV', LIST, `format=csv&cursor=${CANARY}`, 'cursor: applies to JSON pages only'),
  badQuery('an unknown format', LIST, 'format=pdf', 'format: must be'),
  ['a forged cursor', `${LIST}?cursor=WzIsImEiLFtdXQ`, {}, 400, 'invalid_cursor', 'different list'],
  ['XML', LIST, { headers: { accept: 'application/xml' } }, 406, 'not_acceptable'],
  badQuery('an unknown field', FACETS, 'fields=title', 'fields.0: must be one of'),
  badQuery('a field in capitals', FACETS, 'fields=Severity', 'fields.0: must be one of'),
  badQuery('a bucket of 0', HISTOGRAM, 'bucketSeconds=0', 'bucketSeconds: must be an integer'),
  badQuery(
    'a range that ends first',
    HISTOGRAM,
    'from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z',
    'from: must be before `to`',
  ),
  badQuery(
    'too many buckets',
    HISTOGRAM,
    'bucketSeconds=1&from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z',
    'bucketSeconds: gives 86400 buckets',
  ),
  ['an unknown alert', 'GET /v2/alerts/{unknown}', {}, 404, 'not_found', 'alert does not exist'],
  ['items of an unknown alert', 'GET /v2/alerts/{unknown}/events', {}, 404, 'not_found'],
  [
    'a forged cursor of items',
    'GET /v2/alerts/{alert}/events?cursor=WzIsImEiLFtdXQ',
    {},
    400,
    'invalid_cursor',
  ],
  badQuery('an unknown state of events', EVENTS, 'state=lost', 'state'),
  badQuery('a malformed id', EVENTS, 'webhookId=1', 'webhookId'),
  badQuery('a time without an offset', EVENTS, 'to=2026-01-01T00:00:00', 'to: must be a time'),
  ['a forged cursor of events', `${EVENTS}?cursor=%7B%7D`, {}, 400, 'invalid_cursor'],
  ['an unknown event', 'GET /v2/events/{unknown}', {}, 404, 'not_found', 'event'],
  ['confirming an unknown event', 'POST /v2/events/{unknown}/confirm-subscription', {}, 404, 'not_found'],
  ['confirming an alert', 'POST /v2/events/{event}/confirm-subscription', {}, 422, 'not_a_confirmation'],
  ['no nonce', 'GET /greeting', { as: 'nobody' }, 400, 'invalid_query', 'nonce: is required'],
  [
    'a short nonce',
    'GET /greeting?nonce=ab',
    { as: 'nobody' },
    400,
    'invalid_query',
    'nonce: must be 32 to 128',
  ],
  ['an unknown file', 'GET /docs/assets/package.json', { as: 'nobody' }, 404, 'not_found'],
  ['a file outside of the folder', 'GET /docs/assets/..%2fpackage.json', { as: 'nobody' }, 404, 'not_found'],
  ['an unknown path', `GET /v2/${'x'.repeat(3_000)}`, {}, 404, 'not_found', 'does not exist'],
  ['a path with a NUL', 'GET /v2/%00', {}, 404, 'not_found'],
  ['markup as path', 'POST /v2/<script>', {}, 404, 'not_found'],
  ['a retired path', 'POST /v2/developers/cloud-ids', {}, 410, 'replaced'],
];
