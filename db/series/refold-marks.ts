import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { executePrepared } from '../client/statement.js';
import { idLists } from './id-list.js';
import { lockSeries } from './lock-series.js';
import type { SeriesKey } from './series.js';

/** Series whose items a transaction changes. */
export interface ChangedSeries {
  /** The series that items leave, join or stay in. */
  keys: readonly SeriesKey[];
  /** The items that are no longer in their series. */
  gone: readonly string[];
  /** The time of the earliest changed item, in milliseconds since 1970. */
  from: number;
}

/**
 * Marks series, so that their items are folded again from a time on, and locks them until the transaction ends. Creates those that do not
 * exist. A series whose latest alert was opened by an item that is gone has no latest alert until then; the row of that alert stays.
 */
export async function markForRefold(
  transaction: Knex.Transaction,
  { keys, gone, from }: ChangedSeries,
): Promise<void> {
  const sorted = [...new Map(keys.map((key) => [key.id, key])).values()].sort((one, other) =>
    one.id < other.id ? -1 : 1,
  );
  await lockSeries(transaction, sorted);
  const time = new Date(from);
  for (const { marks, values } of idLists(sorted.map(({ id }) => id))) {
    const sql = `UPDATE series SET refold_from = LEAST(COALESCE(refold_from, ?), ?) WHERE id IN (${marks})`;
    await executePrepared(transaction, sql, [time, time, ...values]);
    await forgetLatest(transaction, values, gone);
  }
}

/** The columns of a series without a latest alert. */
export const NO_LATEST = {
  firing: 0,
  alert_received_at: null,
  alert_id: null,
  alert_last_received_at: null,
  alert_last_item: null,
  event_count: 0,
  previous_alert_id: null,
  occurrence: null,
  severity: null,
  providers: null,
  alert_bytes: 0,
  closed_by: null,
  peak: null,
};

/** Leaves series without a latest alert, if that is one of the given alerts. That it ended is then no longer seen from it. */
export async function forgetLatest(
  transaction: Knex.Transaction,
  seriesIds: readonly Buffer[],
  alertIds: readonly string[],
): Promise<void> {
  if (alertIds.length === 0) return;
  await transaction('series')
    .whereIn('id', seriesIds)
    .whereIn('alert_id', alertIds.map(toUuidBinary))
    .update({ ...NO_LATEST, ended: transaction.raw("COALESCE(ended, '')") });
}

/** A series to fold again. */
export interface MarkedSeries extends SeriesKey {
  /** Milliseconds since 1970. */
  refoldFrom: number;
}

/** Returns the next marked series after a position, in the order of the times from which they are to be folded. */
export async function nextMarkedSeries(
  database: Database,
  after: Pick<MarkedSeries, 'refoldFrom' | 'id'> | null,
  limit: number,
): Promise<MarkedSeries[]> {
  const query = database('series')
    .whereNotNull('refold_from')
    .limit(limit)
    .select('id', 'webhook_id', 'dedup_key', 'refold_from');
  const rows = await orderByKeyset(query, {
    columns: ['refold_from', 'id'],
    order: 'asc',
    after: after ? [new Date(after.refoldFrom), toUuidBinary(after.id)] : undefined,
  });
  return rows.map((row) => ({
    id: fromUuidBinary(row.id),
    webhookId: fromUuidBinary(row.webhook_id),
    dedupKey: row.dedup_key,
    refoldFrom: Number(row.refold_from),
  }));
}

/** Sets the time from which a series is to be folded again; null removes the mark. */
export async function setMark(
  transaction: Knex.Transaction,
  seriesId: string,
  receivedAt: number | null,
): Promise<void> {
  const refold_from = receivedAt === null ? null : new Date(receivedAt);
  await transaction('series').where('id', toUuidBinary(seriesId)).update({ refold_from });
}

/** Leaves a marked series without a state, as if no item had been folded. */
export async function forgetState(transaction: Knex.Transaction, seriesId: string): Promise<void> {
  const state = { last_received_at: null, last_item: null, ended: null, ...NO_LATEST };
  await transaction('series').where('id', toUuidBinary(seriesId)).update(state);
}

/** Deletes a series that has no items. */
export async function deleteSeries(transaction: Knex.Transaction, seriesId: string): Promise<void> {
  await transaction('series').where('id', toUuidBinary(seriesId)).delete();
}

/** Returns whether an integration has a series. */
export async function hasSeries(database: Database, webhookId: string): Promise<boolean> {
  const row = await database('series').where('webhook_id', toUuidBinary(webhookId)).first('id');
  return row !== undefined;
}
