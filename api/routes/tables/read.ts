import { z } from 'zod';
import { findLookupRows, nextRows, type StoredRow, toRow } from '../../../db/lookups/lookup-rows.js';
import { type LookupTable, listTables as readTables } from '../../../db/lookups/lookup-tables.js';
import { type Revision, listRevisions as readRevisions } from '../../../db/lookups/revisions.js';
import { lookupKey } from '../../../workers/mapping/index.js';
import { tableExport } from '../../../workers/queues/contracts/table-export.js';
import { failures } from '../../endpoint/error-responses.js';
import { repeatable } from '../../endpoint/parameters.js';
import { ACCEPTED_HEADERS, accepted, success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { tagRevision } from '../../http/entity-tag.js';
import { QUERY, summary } from '../../http/error-details.js';
import { badRequest } from '../../http/errors.js';
import { callback } from '../../jobs/callback.js';
import { respondWithFile } from '../../jobs/respond-with-file.js';
import { announceCsv, listFormat, listFormatQuery, MADE_FILE_HEADERS } from '../../lists/list-format.js';
import { PAGE_HEADERS, pageQuery, pageSchema, pageSizeOf, sendPage } from '../../lists/list-page.js';
import {
  MAX_KEY_COLUMNS,
  oneTable,
  presentRevision,
  presentTable,
  READ_SCOPES,
  requireTable,
  TABLE_PARAMS,
  tableRevision,
  tableRow,
  tableSchema,
  tagOf,
} from './schema.js';

const listQuery = z.strictObject(pageQuery);
const pageOf = (row: z.ZodType) => ({
  description: 'A page',
  headers: PAGE_HEADERS,
  body: z.object({ ...success, data: z.array(row), page: pageSchema }),
});

export const listTables = defineRoute({
  method: 'get',
  path: '/v2/tables',
  operationId: 'listTables',
  tag: 'Table',
  summary: 'List the lookup tables by name',
  scopes: READ_SCOPES,
  query: listQuery,
  params: NO_PARAMS,
  responses: { 200: pageOf(tableSchema), ...failures(400) },
  handle: ({ ctx, query, services: { database } }) =>
    sendPage(ctx, {
      page: query,
      filters: {},
      position: z.tuple([z.string()]).transform(([name]) => name),
      positionOf: ({ name }: LookupTable) => [name],
      read: (page) => readTables(database, page),
      present: presentTable,
    }),
});

const tableQuery = z.strictObject({
  format: listFormatQuery.meta({
    description: 'The table as JSON, or its rows as CSV. By default, `Accept` decides',
  }),
  callback,
});

export const getTable = defineRoute({
  method: 'get',
  path: '/v2/tables/{name}',
  operationId: 'getTable',
  etag: true,
  tag: 'Table',
  summary: 'Get a lookup table, or download its rows as CSV',
  description:
    'For the rows send `Accept: text/csv` or `format=csv`. A worker writes the file, with the columns and rows in the order of the upload. The request ' +
    'waits up to 60 s for it (see `Prefer`) and then returns 202. The file can be uploaded again, which changes nothing.',
  scopes: READ_SCOPES,
  query: tableQuery,
  params: TABLE_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: {
      description: 'The table, or the file',
      headers: MADE_FILE_HEADERS,
      body: { 'application/json': oneTable, 'text/csv': z.string() },
    },
    202: {
      description: 'The file is not ready yet; `Location` is its job',
      body: accepted,
      headers: ACCEPTED_HEADERS,
    },
    ...failures(400, 404, 406, 422, 429),
  },
  handle: async (input) => {
    const { ctx, query, services } = input;
    const table = await requireTable(services, input.params.name);
    if (listFormat(ctx, query, { csv: ['callback'], json: [] }) === 'json') {
      ctx.body = { status: 'success', data: presentTable(table) };
      tagRevision(ctx, tagOf(table));
    } else if (ctx.method === 'HEAD') announceCsv(ctx);
    else {
      const params = { version: 1 as const, table: table.name };
      await respondWithFile(input, { contract: tableExport, params, callback: query.callback });
    }
  },
});

/** UTF-16 units. A lookup has no key of more than 1,000 of them. */
const MAX_KEY = 4_000;

const rowsQuery = z.strictObject({
  ...pageQuery,
  key: repeatable
    .pipe(z.array(z.string().max(MAX_KEY)).min(1).max(MAX_KEY_COLUMNS))
    .optional()
    .meta({
      description:
        'Only the row that a lookup with this key finds, as `matching` says. If the key has several columns, repeat the parameter for each of them in their order',
      override: {
        type: 'array',
        minItems: 1,
        maxItems: MAX_KEY_COLUMNS,
        items: { type: 'string', maxLength: MAX_KEY },
      },
    }),
});

export const listTableRows = defineRoute({
  method: 'get',
  path: '/v2/tables/{name}/rows',
  operationId: 'listTableRows',
  tag: 'Table',
  summary: 'List the rows of a lookup table, or find the row of a key',
  description: 'The rows are in the order of the upload.',
  scopes: READ_SCOPES,
  query: rowsQuery,
  params: TABLE_PARAMS,
  responses: { 200: pageOf(tableRow), ...failures(400, 404) },
  handle: async ({ ctx, query, params, services }) => {
    const { database } = services;
    const table = await requireTable(services, params.name);
    if (query.key) {
      const key = keyFor(table, query.key);
      const row = key === null ? undefined : (await findLookupRows(database, table, [key])).get(key);
      const page = { pageSize: pageSizeOf(query), nextCursor: null };
      ctx.body = { status: 'success', data: row ? [row.columns] : [], page };
      return;
    }
    await sendPage(ctx, {
      page: query,
      // A page of another revision would repeat rows, or leave some out.
      filters: { revision: table.revision },
      position: z.tuple([z.number().int()]).transform(([position]) => position),
      positionOf: ({ position }: StoredRow) => [position],
      read: (page) => nextRows(database, table, page),
      present: ({ cells }) => toRow(table, cells).columns,
    });
  },
});

/**
 * Returns the key that a lookup has of these values; null if it looks nothing up.
 * @throws RequestError 400 if there are not as many values as key columns
 */
function keyFor({ keyColumns }: LookupTable, values: readonly string[]): string | null {
  if (values.length === keyColumns.length) return lookupKey(values).key;
  const message = `must be given once for each key column: ${keyColumns.join(', ')}`;
  const errors = [{ field: 'key', code: 'invalid_value', message }];
  throw badRequest('invalid_query', summary(QUERY, errors), errors);
}

export const listTableRevisions = defineRoute({
  method: 'get',
  path: '/v2/tables/{name}/revisions',
  operationId: 'listTableRevisions',
  tag: 'Table',
  summary: 'List the revisions of a lookup table that are kept, the newest first',
  scopes: READ_SCOPES,
  query: listQuery,
  params: TABLE_PARAMS,
  responses: { 200: pageOf(tableRevision), ...failures(400, 404) },
  handle: async ({ ctx, query, params, services }) => {
    const table = await requireTable(services, params.name);
    await sendPage(ctx, {
      page: query,
      filters: {},
      position: z.tuple([z.number().int()]).transform(([revision]) => revision),
      positionOf: ({ revision }: Revision) => [revision],
      read: ({ limit, after }) => readRevisions(services.database, table.id, { limit, before: after }),
      present: (revision) => presentRevision(revision, table.revision),
    });
  },
});
