import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { tableByIndex } from '../client/driver.js';
import { type Keyset, orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';

/** The tables that lie in the order of arrival, and the state that nearly all rows of each have. */
const COMMON_STATE = { events: 'normalized', alerts: 'complete' } as const;
type Table = keyof typeof COMMON_STATE;

/** A place in a list that is sorted by time of arrival, newest first. */
export interface TimePosition {
  receivedAt: Date;
  id: string;
}

/** Which part of a list is wanted. */
export interface TimePage {
  limit: number;
  /** Start behind this place. */
  after?: TimePosition | undefined;
  /** Longer than this the database may not take, in milliseconds, see `isTooSlow`; no limit if not given. */
  withinMs?: number;
}

/** The filters that events and alerts have alike; every one that is given must fit. */
export interface TimeFilters {
  webhookId?: string | undefined;
  state?: string | undefined;
  /** Of the time of arrival, included. */
  from?: Date | undefined;
  /** Of the time of arrival, not included. */
  to?: Date | undefined;
}

/** Selects a page of events or alerts, newest first; columns and further filters are the caller's. */
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

/** Reads what `newestFirst` selects, in the time that the page allows. */
export const readPage = <Row>(
  database: Database,
  query: Knex.QueryBuilder,
  { withinMs }: TimePage,
): Promise<Row[]> =>
  withinMs === undefined ? Promise.resolve(query as Promise<Row[]>) : selectWithin(database, query, withinMs);

/**
 * Each index has the order of the list. Left alone, the optimizer intersects two of them and sorts: a first page then
 * reads all that an integration has. And to look up nearly all rows by their common state takes three times as long as to
 * read the table. With a rare state it is left the choice.
 */
function source(database: Database, table: Table, { webhookId, state }: TimeFilters) {
  const common = state === COMMON_STATE[table];
  if (state !== undefined && !common) return table;
  if (webhookId === undefined && !common) return table;
  const index = webhookId === undefined ? 'PRIMARY' : 'by_webhook';
  return tableByIndex(database, table, index);
}

/** Returns the keyset of events and alerts, which lie in the order of arrival. */
export const arrivalKeyset = (order: 'asc' | 'desc', after?: TimePosition | null): Keyset => ({
  columns: ['received_at', 'id'],
  order,
  after: after ? [after.receivedAt, toUuidBinary(after.id)] : undefined,
});
