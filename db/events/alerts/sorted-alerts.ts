import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { toUuidBinary } from '../../bulk/uuid-binary.js';
import type { Database } from '../../client/connect.js';
import { valuesOf } from '../filter-values.js';
import { readWithin, type TimePage, type TimePosition } from '../newest-first.js';
import { type AlertFilters, narrowAlerts } from './alert-list.js';
import { selectAlerts } from './alert-source.js';
import { sortableSource } from './alert-values.js';
import { type Alert, GENERATED_KEYS, toAlert } from './alerts.js';

/** What alerts can be sorted by. */
export const ALERT_SORT_KEYS = ['startedAt', 'severity', 'lastEventAt', 'duration'] as const;
export type AlertSortKey = (typeof ALERT_SORT_KEYS)[number];

/** The column of each, with an index in its order. */
const SORTS: Record<AlertSortKey, { column: string; index: string }> = {
  startedAt: { column: 'received_at', index: 'PRIMARY' },
  severity: { column: 'severity_rank', index: 'by_rank' },
  lastEventAt: { column: 'last_event_at', index: 'by_last_event' },
  duration: { column: 'duration_ms', index: 'by_duration' },
};

export interface AlertSort {
  key: AlertSortKey;
  order: 'asc' | 'desc';
  /** When the durations of alerts that still fire end. */
  asOf: Date;
}

/** A position in a sorted list. `value` is null after the last alert with a duration. */
export interface SortedPosition extends TimePosition {
  value: number | Date | null;
}

export interface SortedPage extends Omit<TimePage, 'after'> {
  after?: SortedPosition | undefined;
}

/** Returns what an alert is sorted by; null if it has no duration because it stands alone. */
export function sortValueOf(alert: Alert, { key, asOf }: AlertSort): number | Date | null {
  const { receivedAt, resolvedAt, status } = alert;
  if (key === 'startedAt') return receivedAt;
  if (key === 'lastEventAt') return alert.lastEventAt;
  if (key === 'severity') return alert.severityRank;
  const end = resolvedAt ?? (status === 'firing' ? asOf : null);
  return end && end.getTime() - receivedAt.getTime();
}

/**
 * Returns a page of alerts in some order; of those with the same value, the order goes on by `receivedAt` and id. Few alerts are sorted: those
 * of a key, those that fire, and those with a rare value. Of more, the index is read in its order until enough of them match.
 */
export async function listSortedAlerts(
  database: Database,
  filters: AlertFilters,
  sort: AlertSort,
  page: SortedPage,
): Promise<Alert[]> {
  const { withinMs } = page;
  const limits: TimePage = { limit: page.limit, ...(withinMs === undefined ? {} : { withinMs }) };
  const status = valuesOf(filters.status);
  const { column, index } = SORTS[sort.key];
  const select = async (own: AlertFilters, value: Value, by?: string) => {
    const { query } = await selectAlerts(database, own, limits, by);
    narrowAlerts(query.clearOrder(), own).select('alerts.*', { sorted_by: value.sql });
    if (sort.key === 'lastEventAt') query.whereNotNull('alerts.last_event_at');
    return { query: inOrder(query, value, sort.order, page.after) };
  };
  const stored: Value = { sql: database.raw('??', [`alerts.${column}`]), hasNull: sort.key === 'duration' };
  const computed = sort.key === 'duration' ? durationAt(database, sort.asOf) : stored;
  const isSmall = filters.dedupKey !== undefined || status.join() === 'firing';
  const few = isSmall ? null : await sortableSource(database, filters, limits);
  if (isSmall || few) {
    const { query } = await select(filters, computed, few?.index);
    if (few) query.whereIn(`alerts.${few.field}`, few.values);
    return read(database, query, limits);
  }
  const { query } = await select(filters, stored, index);
  if (sort.key !== 'duration') return read(database, query, limits);
  query.whereNot((one) => isFiring(one));
  const mayFire = status.length === 0 || status.includes('firing');
  if (!mayFire || isAmongLast(page.after, sort.order)) return read(database, query, limits);
  const firing = await select({ ...filters, status: 'firing' }, computed);
  const both = database
    .from(database.unionAll([query, firing.query], true).as('alerts'))
    .select('*')
    .limit(page.limit);
  const merged: Value = { sql: database.raw('alerts.sorted_by'), hasNull: true };
  return read(database, inOrder(both, merged, sort.order), limits);
}

const read = async (database: Database, query: Knex.QueryBuilder, page: TimePage): Promise<Alert[]> =>
  (await readWithin<Tables['alerts']>(database, query, page)).map(toAlert);

/** Returns whether only alerts without a value follow. */
const isAmongLast = (after: SortedPosition | undefined, order: 'asc' | 'desc'): boolean =>
  after?.value === null && order === 'desc';

/** What a query is sorted by. NULL is the lowest value. */
interface Value {
  sql: Knex.Raw;
  hasNull: boolean;
}

/** The duration of an alert, which goes on while it fires. */
const durationAt = (database: Database, asOf: Date): Value => ({
  sql: database.raw(
    `COALESCE(alerts.duration_ms,
      IF(alerts.dedup_key NOT LIKE ?, TIMESTAMPDIFF(MICROSECOND, alerts.received_at, ?) DIV 1000, NULL))`,
    [GENERATED_KEYS, asOf],
  ),
  hasNull: true,
});

const isFiring = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query
    .whereNull('alerts.resolved_at')
    .whereNotNull('alerts.dedup_key')
    .where('alerts.dedup_key', 'not like', GENERATED_KEYS);

/** Sorts alerts by a value, then by their time of arrival and id, and starts after a position. */
function inOrder(
  query: Knex.QueryBuilder,
  { sql, hasNull }: Value,
  order: 'asc' | 'desc',
  after?: SortedPosition,
): Knex.QueryBuilder {
  // All that follow have NULL: with it in the order, the server would sort them.
  if (!isAmongLast(after, order)) query.orderByRaw(`? ${order}`, [sql]);
  query.orderBy(['received_at', 'id'].map((name) => ({ column: `alerts.${name}`, order })));
  if (!after) return query;
  const { value, receivedAt, id } = after;
  const operator = order === 'asc' ? '>' : '<';
  const isTie = (one: Knex.QueryBuilder) =>
    one.where((tie) => {
      tie.where('alerts.received_at', operator, receivedAt);
      tie.orWhere((same) =>
        same.where('alerts.received_at', receivedAt).where('alerts.id', operator, toUuidBinary(id)),
      );
    });
  return query.where((any) => {
    if (value === null) {
      any.where((one) => isTie(one.whereRaw('? IS NULL', [sql])));
      if (order === 'asc') any.orWhereRaw('? IS NOT NULL', [sql]);
      return;
    }
    any.whereRaw(`? ${operator} ?`, [sql, value]);
    if (order === 'desc' && hasNull) any.orWhereRaw('? IS NULL', [sql]);
    any.orWhere((one) => isTie(one.whereRaw('? = ?', [sql, value])));
  });
}
