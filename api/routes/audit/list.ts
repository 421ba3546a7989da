import { Readable } from 'node:stream';
import { z } from 'zod';
import { type AuditEntry, listAudit as readAudit } from '../../../db/audit/list-audit.js';
import { CsvTable } from '../../../workers/export/csv.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute, NO_PARAMS } from '../../endpoint/route.js';
import { announceCsv, escapeFormulas, listFormat, listFormatQuery } from '../../lists/list-format.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage, timePosition } from '../../lists/list-page.js';
import { readWithDeadline } from '../../lists/read-with-deadline.js';
import { auditEntrySchema, auditFilterQuery, presentEntry } from './schema.js';

const NARROW = 'Narrow the search with `from` and `to`.';
const query = z.strictObject({ ...auditFilterQuery, ...pageQuery, format: listFormatQuery, escapeFormulas });

export const listAudit = defineRoute({
  method: 'get',
  path: '/v2/audit',
  operationId: 'listAudit',
  tag: 'Audit log',
  summary: 'List who changed what, newest first',
  description:
    'An entry is written in the transaction of the change that it tells of. Of work that a job does, it tells that the job was recorded. As CSV, the file has all ' +
    'entries that match.',
  scopes: ['audit:read'],
  query,
  params: NO_PARAMS,
  headers: ['Prefer'],
  responses: {
    200: {
      description: 'A page, or the file',
      headers: { ...PAGE_HEADERS, 'Content-Disposition': 'sometimes' },
      body: {
        'application/json': z.object({ ...success, data: z.array(auditEntrySchema), page: pageSchema }),
        'text/csv': z.string(),
      },
    },
    ...failures(400, 406, 503),
  },
  handle: async ({ ctx, query, principal, services }) => {
    const { pageSize, cursor, format: _, escapeFormulas = false, ...filters } = query;
    const read = (page: Page) =>
      readWithDeadline({
        services,
        apiKeyId: principal.id,
        narrow: NARROW,
        read: (database, withinMs) =>
          readAudit(database, filters, { limit: page.limit, after: page.after, withinMs }),
      });
    if (listFormat(ctx, query, { csv: ['escapeFormulas'], json: ['pageSize', 'cursor'] }) === 'csv') {
      if (ctx.method === 'HEAD') return announceCsv(ctx);
      ctx.attachment('audit-log.csv');
      ctx.type = 'text/csv; charset=utf-8';
      const table = new CsvTable(COLUMNS, escapeFormulas ? TEXTS : []);
      // The first page decides about the status: what fails later breaks off the file.
      const first = await read({ limit: CSV_PAGE, after: undefined });
      ctx.body = Readable.from(csvOf(table, first, read), { objectMode: false });
      return;
    }
    await sendPage<AuditEntry, Page['after']>(ctx, {
      page: { pageSize, cursor },
      filters,
      position: timePosition,
      positionOf: ({ at, id }) => [at, id],
      read,
      present: presentEntry,
    });
  },
});

interface Page {
  limit: number;
  after: { at: Date; id: string } | undefined;
}

const CSV_PAGE = 500;

const COLUMNS = [
  ...['id', 'at', 'actorKind', 'actorId', 'actor', 'action', 'objectKind', 'objectId', 'object'],
  ...['before', 'after', 'requestId', 'address'],
];
const TEXTS = ['actor', 'objectId', 'object'];

async function* csvOf(
  table: CsvTable,
  first: readonly AuditEntry[],
  read: (page: Page) => Promise<AuditEntry[]>,
): AsyncGenerator<string> {
  yield table.header;
  for (let page = first; ; page = await read({ limit: CSV_PAGE, after: page.at(-1) })) {
    yield table.lines(page.map(toRow));
    if (page.length < CSV_PAGE) return;
  }
}

const toRow = ({ id, at, actor, action, object, before, after, requestId, address }: AuditEntry) => [
  ...[id, at.toISOString(), actor.kind, actor.id, actor.name],
  action,
  ...[object.kind, object.id, object.name],
  ...[before && JSON.stringify(before), after && JSON.stringify(after)],
  ...[requestId, address],
];
