import { z } from 'zod';
import { identityExport } from '../../../workers/queues/contracts/identity-export.js';
import { flag, wholeNumberText } from '../../endpoint/parameters.js';
import { defineRoute, type Input, NO_PARAMS } from '../../endpoint/route.js';
import { callback } from '../../jobs/callback.js';
import { respondWithFile } from '../../jobs/respond-with-file.js';
import { announceCsv, listFormat, listFormatQuery, pageOrFileResponses } from '../../lists/list-format.js';
import { pageQuery, pageSizeOf } from '../../lists/list-page.js';
import { checkSearch, filterQuery, toExportParams, toFilters, toSort } from './filters.js';
import { identityPageSchema, identitySchema, sendIdentities } from './page.js';

/** A numbered page reads all the rows before it, so pages beyond this row are available by cursor only. */
const MAX_NUMBERED_ROWS = 100_000;
const pageOnly = {
  ...pageQuery,
  pageIndex: wholeNumberText(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: 'The number of the page, from 0. Available for the first 100,000 rows' }),
  includeTotal: flag.optional().meta({ description: 'Also count all rows that match the filters' }),
};

const query = z
  .strictObject({ ...filterQuery, ...pageOnly, format: listFormatQuery, callback })
  .superRefine(checkSearch)
  .superRefine(checkPlace);
type ListQuery = z.infer<typeof query>;
const ONLY = {
  csv: ['escapeFormulas' as const, 'callback' as const],
  json: Object.keys(pageOnly) as (keyof typeof pageOnly)[],
};

/** Checks that a page has a number or a cursor, not both, and that a numbered page is not too deep. */
function checkPlace({ pageIndex, cursor, ...query }: ListQuery, context: z.RefinementCtx): void {
  if (pageIndex === undefined) return;
  const reject = (code: string, message: string) =>
    context.addIssue({ code: 'custom', path: ['pageIndex'], message, params: { code } });
  if (cursor !== undefined) reject('conflicting', 'cannot be combined with cursor');
  if ((pageIndex + 1) * pageSizeOf(query) > MAX_NUMBERED_ROWS)
    reject('too_deep', `must not go beyond row ${MAX_NUMBERED_ROWS}. Follow nextCursor instead`);
}

export const getIdentities = defineRoute({
  method: 'get',
  path: '/v2/developers/identities',
  operationId: 'listIdentities',
  tag: 'Identity',
  summary: 'List identities page by page as JSON, or download all of them as CSV',
  description:
    'Sort a list by `email`, `integrationId` (the default) or `updatedAt`; ties are sorted by account system and identity. ' +
    'For a CSV file send `Accept: text/csv` or `format=csv`. A worker writes it, sorted by `email` by default. The request ' +
    'waits up to 60 s for the file (see `Prefer`) and then returns 202. A query that takes the database more than 5 s ' +
    'returns 503 `search_too_slow`.',
  scopes: ['developer_records:read'],
  query,
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: pageOrFileResponses(identitySchema, identityPageSchema),
  handle: async (input) => {
    const { ctx, query, principal, services } = input;
    if (listFormat(ctx, query, ONLY) === 'csv')
      return ctx.method === 'HEAD' ? announceCsv(ctx) : sendCsv(input);
    const { pageIndex, cursor, includeTotal = false } = query;
    const list = { filters: toFilters(query), sort: toSort(query, 'integrationId') };
    await sendIdentities(ctx, services, {
      apiKeyId: principal.id,
      ...list,
      pageSize: pageSizeOf(query),
      pageIndex,
      cursor,
      includeTotal,
    });
  },
});

/** The file is for the one request that asked for it, and for resuming its download. */
const KEPT_HOURS = 1;

/** Responds with a CSV file of all identities that match the filters. */
const sendCsv = (input: Input<ListQuery, unknown>): Promise<void> =>
  respondWithFile(input, {
    contract: identityExport,
    params: toExportParams(input.query, 'csv', KEPT_HOURS),
    callback: input.query.callback,
  });
