import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { tableByIndex } from '../client/driver.js';
import { type Keyset, orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import { type FilterValues, valuesOf, whereAny, whereWebhook } from './filter-values.js';

/** The tables that are clustered by time of arrival, and the state of nearly all rows of each. */
export const COMMON_STATE = { events: 'normalized', alerts: 'complete' } as const;
type Table = keyof typeof COMMON_STATE;

/** A position in a list that is sorted by time of arrival, newest first. */
export interface TimePosition {
  receivedAt: Date;
  id: string;
}

/** The part of a list to read. */
export interface TimePage {
  limit: number;
  /** Start after this position. */
  after?: TimePosition | undefined;
  /** Time limit of the query in milliseconds; see `isTooSlow`. Default: no limit. */
  withinMs?: number;
}

/** The filters that events and alerts have in common. A row must match every given filter. */
export interface TimeFilters {
  webhookId?: FilterValues | undefined;
  state?: FilterValues | undefined;
  /** Earliest time of arrival, inclusive. */
  from?: Date | undefined;
  /** Latest time of arrival, exclusive. */
  to?: Date | undefined;
}

/**
 * Selects a page of events or alerts, newest first. The caller adds columns and further filters.
 * @param index that the server must use. It has the order of the list among the rows that the further filters leave
 */
export function newestFirst(
  database: Database,
  table: Table,
  filters: TimeFilters,
  { limit, after }: TimePage,
  index?: string,
): Knex.QueryBuilder {
  const { webhookId, state, from, to } = filters;
  const rows = index ? tableByIndex(database, table, index) : source(database, table, filters);
  const query = database(rows).limit(limit);
  whereWebhook(query, 'webhook_id', webhookId);
  whereAny(query, 'state', valuesOf(state));
  if (from) query.where('received_at', '>=', from);
  if (to) query.where('received_at', '<', to);
  return orderByKeyset(query, arrivalKeyset('desc', after));
}

/** Reads what `newestFirst` selects, within the time limit of the page. */
export const readWithin = async <Row>(
  database: Database,
  query: Knex.QueryBuilder,
  { withinMs }: TimePage,
): Promise<Row[]> => (withinMs === undefined ? query : selectWithin(database, query, withinMs));

/** Each integration, or value, adds a page to what is merged. Larger pages, which only exports have, are read without merging. */
export const MAX_MERGED_ROWS = 10_000;

/**
 * Reads a page, newest first. The page of several integrations is merged from the first rows of each, because each has an index in the order
 * of the list, and all together have none.
 * @param select returns the query for the page, of one integration or of all that the filters name, in an object
 */
export async function readMergedPage<Row, Filters extends TimeFilters>(
  database: Database,
  filters: Filters,
  page: TimePage,
  select: (filters: Filters) => Promise<{ query: Knex.QueryBuilder }>,
): Promise<Row[]> {
  // Upper and lower case are the same id, whose rows must be merged only once.
  const webhookIds = [...new Set(valuesOf(filters.webhookId).map((id) => id.toLowerCase()))];
  if (webhookIds.length < 2 || webhookIds.length * page.limit > MAX_MERGED_ROWS)
    return readWithin(database, (await select(filters)).query, page);
  const selected = await Promise.all(webhookIds.map((webhookId) => select({ ...filters, webhookId })));
  return mergePages(
    database,
    selected.map(({ query }) => query),
    page,
  );
}

/** Reads the page that the first rows of several lists give together. */
export function mergePages<Row>(
  database: Database,
  queries: Knex.QueryBuilder[],
  page: TimePage,
): Promise<Row[]> {
  const merged = database.from(database.unionAll(queries, true).as('merged')).select('*').limit(page.limit);
  return readWithin(database, orderByKeyset(merged, arrivalKeyset('desc')), page);
}

/**
 * Returns the table, with the index that the server must use unless the state is a rare one. Every index has the order of
 * the list. Without a hint, the optimizer intersects two indexes and sorts, so the first page reads all rows of an
 * integration. Looking up nearly all rows by their common state takes three times as long as reading the table. With a
 * rare state, the optimizer chooses.
 */
function source(database: Database, table: Table, { webhookId, state }: TimeFilters) {
  const [states, webhooks] = [valuesOf(state), valuesOf(webhookId)];
  const common = states.includes(COMMON_STATE[table]);
  if (states.length > 0 && !common) return table;
  if (webhooks.length === 0 && !common) return table;
  return tableByIndex(database, table, webhooks.length === 1 ? 'by_webhook' : 'PRIMARY');
}

/**
 * Narrows a query to the time between the first and the last of these, in milliseconds since 1970. The server then looks for ids only in the
 * partitions of that time, instead of in each.
 */
export const receivedAmong = <Query extends Knex.QueryBuilder>(
  query: Query,
  times: readonly number[],
): Query => {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const time of times) [first, last] = [Math.min(first, time), Math.max(last, time)];
  if (first <= last) query.whereBetween('received_at', [new Date(first), new Date(last)]);
  return query;
};

/** Returns the keyset of events and alerts, which are clustered by time of arrival. */
export const arrivalKeyset = (order: 'asc' | 'desc', after?: TimePosition | null): Keyset => ({
  columns: ['received_at', 'id'],
  order,
  after: after ? [after.receivedAt, toUuidBinary(after.id)] : undefined,
});
