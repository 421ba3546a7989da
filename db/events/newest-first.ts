import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { tableByIndex } from '../client/driver.js';
import { type Keyset, orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';

/** The tables that are clustered by time of arrival, and the state of nearly all rows of each. */
const COMMON_STATE = { events: 'normalized', alerts: 'complete' } as const;
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
  webhookId?: string | undefined;
  state?: string | undefined;
  /** Earliest time of arrival, inclusive. */
  from?: Date | undefined;
  /** Latest time of arrival, exclusive. */
  to?: Date | undefined;
}

/** Selects a page of events or alerts, newest first. The caller adds columns and further filters. */
export function newestFirst(
  database: Database,
  table: Table,
  filters: TimeFilters,
  { limit, after }: TimePage,
): Knex.QueryBuilder {
  const { webhookId, state, from, to } = filters;
  const query = database(source(database, table, filters)).limit(limit);
  if (webhookId !== undefined) query.where('webhook_id', toUuidBinary(webhookId));
  if (state !== undefined) query.where({ state });
  if (from) query.where('received_at', '>=', from);
  if (to) query.where('received_at', '<', to);
  return orderByKeyset(query, arrivalKeyset('desc', after));
}

/** Reads what `newestFirst` selects, within the time limit of the page. */
export const readPage = <Row>(
  database: Database,
  query: Knex.QueryBuilder,
  { withinMs }: TimePage,
): Promise<Row[]> =>
  withinMs === undefined ? Promise.resolve(query as Promise<Row[]>) : selectWithin(database, query, withinMs);

/**
 * Returns the table, with the index that the server must use unless the state is a rare one. Every index has the order of
 * the list. Without a hint, the optimizer intersects two indexes and sorts, so the first page reads all rows of an
 * integration. Looking up nearly all rows by their common state takes three times as long as reading the table. With a
 * rare state, the optimizer chooses.
 */
function source(database: Database, table: Table, { webhookId, state }: TimeFilters) {
  const common = state === COMMON_STATE[table];
  if (state !== undefined && !common) return table;
  if (webhookId === undefined && !common) return table;
  const index = webhookId === undefined ? 'PRIMARY' : 'by_webhook';
  return tableByIndex(database, table, index);
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
