import { z } from 'zod';
import type { Database } from '../../../db/client/connect.js';
import { hashOfKey, keyOf, MAX_KEY } from '../../../db/lookups/lookup-keys.js';
import { findLookupRows } from '../../../db/lookups/lookup-rows.js';
import { findTable, type LookupTable } from '../../../db/lookups/lookup-tables.js';
import { listMisses, type StoredMiss } from '../../../db/lookups/misses.js';
import { withPadding } from '../../../workers/identities/record/padding.js';
import { failures } from '../../endpoint/error-responses.js';
import { success } from '../../endpoint/responses.js';
import { defineRoute } from '../../endpoint/route.js';
import { notFound } from '../../http/errors.js';
import { listFormat, listFormatQuery } from '../../lists/list-format.js';
import { PAGE_HEADERS, pageQuery, pageSchema, sendPage } from '../../lists/list-page.js';
import { READ_SCOPES, TABLE_PARAMS } from './schema.js';
import { widthsOfKeys } from './webhooks.js';

export const missSchema = z
  .object({
    key: z.string().meta({ description: 'What was looked up; of several key columns, a JSON array' }),
    count: z.number().int().meta({ description: 'How often, each event counted once' }),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
    eventId: z.uuid().meta({ description: 'The last event for which it was looked up' }),
  })
  .meta({ id: 'Miss' });

const position = z
  .tuple([z.iso.datetime().transform((text) => new Date(text)), z.string().regex(/^[0-9a-f]{32}$/)])
  .transform(([lastAt, hash]) => ({ lastAt, hash }));

export const listTableMisses = defineRoute({
  method: 'get',
  path: '/v2/tables/{name}/misses',
  operationId: 'listTableMisses',
  tag: 'Table',
  summary: 'List the keys that were looked up in a table and have no row, those of the newest events first',
  description:
    'Up to 10,000 keys are kept of a table, for 90 days after the last event that looked them up. A key that has a row by now is left out. The CSV has the ' +
    'columns of the table with the keys filled in: add the other cells, and send it with `PATCH /v2/tables/{name}?damaged=keep`. If there is no such table ' +
    'yet, it is sent with `PUT`. Keys that no row can have are left out of it.',
  scopes: READ_SCOPES,
  query: z.strictObject({
    ...pageQuery,
    format: listFormatQuery.meta({
      description: 'One page as JSON, or all keys as CSV. By default, `Accept` decides',
    }),
  }),
  params: TABLE_PARAMS,
  responses: {
    200: {
      description: 'A page, or the file',
      headers: { ...PAGE_HEADERS, 'Content-Disposition': 'sometimes' },
      body: {
        'application/json': z.object({ ...success, data: z.array(missSchema), page: pageSchema }),
        'text/csv': z.string(),
      },
    },
    ...failures(400, 404, 406),
  },
  handle: async ({ ctx, query, params: { name }, services: { database } }) => {
    const table = await findTable(database, name);
    const misses = { name, table };
    if (!table && (await listMisses(database, name, { limit: 1 })).length === 0) throw notFound('table');
    if (listFormat(ctx, query, { csv: [], json: ['pageSize', 'cursor'] }) === 'csv') {
      const all = await readMisses(database, misses, { limit: Number.POSITIVE_INFINITY, after: undefined });
      const keys = all.map(({ key }) => key);
      const widths = table ? [] : await widthsOfKeys(database, name);
      ctx.attachment(`${name}-misses.csv`);
      ctx.type = 'text/csv; charset=utf-8';
      ctx.body = toCsv(table ?? newTable(widths, keys), keys);
      return;
    }
    await sendPage(ctx, {
      page: query,
      filters: {},
      position,
      positionOf: ({ lastAt, hash }: StoredMiss) => [lastAt, hash],
      read: (page) => readMisses(database, misses, page),
      present: ({ key, count, firstAt, lastAt, eventId }: StoredMiss) => ({
        ...{ key, count, eventId },
        firstAt: firstAt.toISOString(),
        lastAt: lastAt.toISOString(),
      }),
    });
  },
});

const READ_AT_ONCE = 1_000;

/** Returns the next keys that still have no row. */
async function readMisses(
  database: Database,
  { name, table }: { name: string; table: LookupTable | null },
  { limit, after }: { limit: number; after: z.infer<typeof position> | undefined },
): Promise<StoredMiss[]> {
  const found: StoredMiss[] = [];
  let place = after;
  let most = Math.min(READ_AT_ONCE, 2 * limit);
  while (found.length < limit) {
    const page = await listMisses(database, name, { limit: most, after: place });
    const keys = page.map(({ key }) => key);
    const rows = table && (await findLookupRows(database, table, keys));
    found.push(...page.filter(({ key }) => !rows?.has(key)));
    place = page.at(-1);
    if (page.length < most) break;
    // Thousands of keys may have a row by now.
    most = Math.min(READ_AT_ONCE, 2 * most);
  }
  return found.slice(0, limit);
}

type Rules = Pick<LookupTable, 'matching' | 'keyColumns' | 'columns'>;

/**
 * Returns the rules of a table that does not exist yet.
 * @param widths the numbers of key columns in mappings
 */
function newTable(widths: readonly number[], keys: readonly string[]): Rules {
  const width = mostCommon(widths.length > 0 ? widths : keys.map((key) => partsOf(key)?.length ?? 1));
  const columns = width === 1 ? ['key'] : Array.from({ length: width }, (_, index) => `key${index + 1}`);
  return { matching: 'exact', keyColumns: columns, columns };
}

function mostCommon(widths: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? 1;
}

/** Returns keys as the rows of an upload that is valid as a whole. */
function toCsv({ matching, columns, keyColumns }: Rules, keys: readonly string[]): string {
  const seen = new Set<string>();
  const lines = keys.flatMap((key) => {
    const parts = keyColumns.length === 1 ? [key] : partsOf(key);
    // Looked up with another number of texts: no row can have it.
    if (parts?.length !== keyColumns.length) return [];
    const own = keyOf(parts);
    const hash = hashOfKey(matching, own)?.toString('hex');
    if (hash === undefined || seen.has(hash) || own.length > MAX_KEY || own.includes('\0')) return [];
    seen.add(hash);
    const cells = new Map(keyColumns.map((column, index) => [column, parts[index] ?? '']));
    return toCsvLine(columns.map((column) => withPadding(cells.get(column) ?? '')));
  });
  return toCsvLine(columns) + lines.join('');
}

const toCsvLine = (cells: readonly string[]): string => `${cells.map(quoted).join(',')}\n`;
const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** Returns the texts of a key of several columns; null if it is one text. */
function partsOf(key: string): string[] | null {
  if (!key.startsWith('[')) return null;
  try {
    return z.array(z.string()).parse(JSON.parse(key));
  } catch {
    return null;
  }
}
