import type { Knex } from 'knex';
import { toUuidBinary } from '../../bulk/uuid-binary.js';
import type { Database } from '../../client/connect.js';
import { tableByIndex } from '../../client/driver.js';
import { orderByKeyset } from '../../client/keyset.js';
import { type FilterValues, valuesOf, whereAny, whereWebhook } from '../filter-values.js';
import { newestFirst, readWithin, type TimeFilters, type TimePage } from '../newest-first.js';
import { GENERATED_KEYS } from './alerts.js';

/** The filters that decide where alerts are read from. */
export interface SourceFilters extends TimeFilters {
  /** Only alerts with a deduplication key, and tests, have a status. */
  status?: FilterValues | undefined;
  dedupKey?: string | undefined;
}

/**
 * Selects a page of alerts, newest first, and returns the query in an object, because a promise would run it. The caller adds
 * columns of `alerts` and further filters. Each source has an index in the order of the list:
 *
 * - The alerts of a key are found through its series.
 * - Firing alerts are found through the series that fire, however many alerts are stored. A series has at most one.
 * - All others are found in the table of alerts itself, by `index` if it is given.
 */
export async function selectAlerts(
  database: Database,
  filters: SourceFilters,
  page: TimePage,
  index?: string,
): Promise<{ query: Knex.QueryBuilder }> {
  const { webhookId, dedupKey } = filters;
  const status = valuesOf(filters.status);
  if (dedupKey !== undefined) {
    const ids = await seriesWith(database, webhookId, dedupKey, page);
    const query = database('series_alerts').whereIn('series_alerts.series_id', ids);
    return { query: withStatus(joinAlerts(query, KEYED, filters, page), status) };
  }
  if (status.length === 1 && status[0] === 'firing') {
    const index = valuesOf(webhookId).length === 1 ? 'by_webhook' : 'by_firing';
    const query = database(tableByIndex(database, 'series', index)).where('series.firing', 1);
    whereWebhook(query, 'series.webhook_id', webhookId);
    return { query: joinAlerts(query, FIRING, filters, page) };
  }
  return { query: withStatus(newestFirst(database, 'alerts', filters, page, index), status) };
}

/** The columns of the first table that are the position of an alert: its time of arrival and its id. */
const KEYED = ['series_alerts.received_at', 'series_alerts.alert_id'] as const;
const FIRING = ['series.alert_received_at', 'series.alert_id'] as const;

/** Joins alerts by their primary key, in the order of the first table, so that the server stops after the page. */
function joinAlerts(
  query: Knex.QueryBuilder,
  position: readonly [string, string],
  { state, from, to }: SourceFilters,
  { limit, after }: TimePage,
): Knex.QueryBuilder {
  const [receivedAt, id] = position;
  query.joinRaw('STRAIGHT_JOIN alerts ON alerts.received_at = ?? AND alerts.id = ??', [receivedAt, id]);
  whereAny(query, 'alerts.state', valuesOf(state));
  if (from) query.where(receivedAt, '>=', from);
  if (to) query.where(receivedAt, '<', to);
  return orderByKeyset(query.limit(limit), {
    columns: position,
    order: 'desc',
    after: after && [after.receivedAt, toUuidBinary(after.id)],
  });
}

function withStatus(query: Knex.QueryBuilder, status: readonly string[]): Knex.QueryBuilder {
  if (status.length === 0) return query;
  return query.where((any) => {
    if (status.includes('resolved')) any.orWhereNotNull('alerts.resolved_at');
    if (status.includes('test')) any.orWhere('alerts.is_test', 1);
    if (!status.includes('firing')) return;
    any.orWhere((one) =>
      one.where('alerts.dedup_key', 'not like', GENERATED_KEYS).whereNull('alerts.resolved_at'),
    );
  });
}

/** Returns the ids of the series with a key: one per integration that uses it. */
async function seriesWith(
  database: Database,
  webhookId: FilterValues | undefined,
  dedupKey: string,
  page: TimePage,
): Promise<Buffer[]> {
  const query = database('series').where('dedup_key', dedupKey).select('id');
  whereWebhook(query, 'webhook_id', webhookId);
  return (await readWithin<{ id: Buffer }>(database, query, page)).map(({ id }) => id);
}
