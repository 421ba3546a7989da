import { CANARY } from '../../../support/hostile/scene.js';
import { type BadInput, badBody, badQuery } from './case.js';

const LIST = 'GET /v2/developers/identities';
const EXPORT = 'POST /v2/developers/identities/exports';
const HISTORY = 'GET /v2/developers/identities/history';
const WORKLIST = 'POST /v2/integrations/7/worklists';
const emails = Array(1_001).fill('a@b.org');

const badList = (what: string, query: string, says: string): BadInput => badQuery(what, LIST, query, says);
const badExport = (what: string, json: unknown, says: string): BadInput => badBody(what, EXPORT, json, says);
const badWorklist = (what: string, accounts: unknown, says: string): BadInput =>
  badBody(what, WORKLIST, { accounts }, says);

export const identityCases: readonly BadInput[] = [
  badList('a text as email', `emails=${CANARY}`, 'emails.0: must be an email address'),
  badList('an email with a NUL', 'emails=a%00@b.org', 'emails.0: '),
  badList('an empty email in a list', 'emails=a@b.org,,c@d.org', 'emails.1: '),
  badList('1,001 emails', `emails=${emails.join(',')}`, 'emails: must have at most 1000'),
  badList('an account system in words', 'integrationIds=seven', 'integrationIds.0: '),
  badList('an account system of 1e3', 'integrationIds=1e3', 'integrationIds.0: '),
  badList('a negative account system', 'integrationIds=-1', 'integrationIds.0: '),
  badList('an integration above 2^53', 'integrationIds=9007199254740993', 'integrationIds.0: '),
  badList('a name of 256 characters', `identities=${'x'.repeat(256)}`, 'identities.0: '),
  badList('a name in another encoding', 'identities=%ff%fe', 'identities.0: '),
  badList('an unknown search key', 'searchKey=name&searchValue=a', 'searchKey: must be one of'),
  badList('a search key alone', 'searchKey=email', 'searchValue: is required'),
  badList('a search value alone', `searchValue=${CANARY}`, 'searchKey: is required'),
  badList(
    'a search of 256 characters',
    `searchKey=email&searchValue=${'x'.repeat(256)}`,
    'searchValue: must have at most 255',
  ),
  badList('a day as time', 'updatedSince=yesterday', 'updatedSince: must be a time'),
  badList('the 30th of February', 'updatedSince=2026-02-30T00:00:00Z', 'updatedSince: must be a time'),
  badList(
    'the year 10000',
    'updatedSince=9999-12-31T23:59:59-10:00',
    'updatedSince: must be before the year 10000',
  ),
  badList('an unknown sort key', 'sortKey=identity;drop', 'sortKey: must be one of'),
  badList('an unknown order', 'sortOrder=DESC', 'sortOrder: must be'),
  badList('a page of 0', 'pageSize=0', 'pageSize: must be an integer from 1 to 1000'),
  badList('a page of 1e2', 'pageSize=1e2', 'pageSize: must be'),
  badList('a page of 10^30', `pageSize=1${'0'.repeat(30)}`, 'pageSize: must be'),
  badList('a page in Arabic digits', 'pageSize=%D9%A5', 'pageSize: must be'),
  badList('a negative page index', 'pageIndex=-1', 'pageIndex: '),
  badList('a page behind 100,000 rows', 'pageIndex=99999&pageSize=1000', 'pageIndex: '),
  badList('a cursor and a page index', 'cursor=x&pageIndex=1', ''),
  badList('an unknown format', 'format=xml', 'format: must be'),
  badList('a total of a file', 'format=csv&includeTotal=true', 'includeTotal: applies to JSON'),
  badList('escaped JSON', 'escapeFormulas=true', 'escapeFormulas: applies to CSV only'),
  badList('a repeated size', 'pageSize=1&pageSize=2', 'pageSize: must be given only once'),
  badList('a similar name', 'integrationID=7', 'did you mean integrationIds'),
  badList('three errors at once', 'pageSize=x&sortKey=y&z=1', 'Invalid query: 3 errors'),
  ['a forged cursor', `${LIST}?cursor=WzIsImEiLFtdXQ`, {}, 400, 'invalid_cursor', 'different list'],
  ['a PDF', LIST, { headers: { accept: 'application/pdf' } }, 406, 'not_acceptable', 'text/csv'],
  ['no account', HISTORY, {}, 400, 'invalid_query', 'identity: is required'],
  badQuery('an integration of 0', HISTORY, 'integrationId=0&identity=ada', 'integrationId: '),
  badQuery('a blank account', HISTORY, 'integrationId=7&identity=%20', 'identity: '),
  [
    'a forged cursor of a history',
    `${HISTORY}?integrationId=7&identity=ada&cursor=abc`,
    {},
    400,
    'invalid_cursor',
  ],
  ...['GET /v2/integrations/seven/coverage', 'POST /v2/integrations/seven/worklists'].map(
    (line): BadInput => [
      'an account system in words',
      line,
      {},
      404,
      'not_found',
      'This integration does not exist: `integrationId`',
    ],
  ),
  ['an integration above 2^53', 'GET /v2/integrations/9007199254740993/coverage', {}, 404, 'not_found'],
  [
    'a cursor of another list',
    'GET /v2/integrations/coverage?cursor=WzIsImEiLFtdXQ',
    {},
    400,
    'invalid_cursor',
  ],
  badExport('a list', [], 'must be an object'),
  badExport('an unknown property', { email: 'a@b.org' }, 'did you mean emails'),
  badExport('a text as emails', { emails: 'a@b.org' }, 'emails: must be an array'),
  badExport('no emails', { emails: [] }, 'emails: must'),
  badExport('1,001 emails', { emails }, 'emails: must have at most 1000'),
  badExport('an integration as text', { integrationIds: ['7'] }, 'integrationIds.0: must be'),
  badExport('an integration of 1.5', { integrationIds: [1.5] }, 'integrationIds.0: must be'),
  badExport('a null', { sortKey: null }, 'sortKey: must be'),
  badExport('a search key alone', { searchKey: 'email' }, 'searchValue: is required'),
  badExport('a flag as text', { escapeFormulas: 'true' }, 'escapeFormulas: must be true or false'),
  ['an unknown format', `${EXPORT}?format=xlsx`, { json: {} }, 400, 'invalid_query', 'format: '],
  badWorklist('no accounts', [], 'accounts: must'),
  badWorklist('1,001 accounts', Array(1_001).fill({ identity: 'a' }), 'accounts: must have at most 1000'),
  badWorklist('a number as account', [{ identity: 7 }], 'accounts.0.identity: must be'),
  badWorklist('an invalid email', [{ identity: 'a', email: CANARY }], 'accounts.0.email: must be an email'),
  badWorklist('an unknown property', [{ identity: 'a', nickname: 'b' }], 'nickname'),
  [
    'a repeated name',
    WORKLIST,
    { type: 'application/json', body: '{"accounts":[],"accounts":[]}' },
    400,
    'invalid_body',
    'accounts',
  ],
  [
    'a charset with JSON',
    `${WORKLIST}?charset=utf-8`,
    { json: { accounts: [] } },
    400,
    'invalid_query',
    'charset: applies to CSV only',
  ],
];
