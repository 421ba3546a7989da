import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { tableByIndex } from '../client/driver.js';
import { orderByKeyset } from '../client/keyset.js';
import { executePrepared, readPrepared } from '../client/statement.js';
import { arrivalKeyset } from '../events/newest-first.js';
import { idLists } from './id-list.js';
import { forgetLatest } from './refold-marks.js';
import type { SeriesKey, SeriesPosition } from './series.js';
import { setPreviousAlert } from './series-alerts.js';

/** An item that was received before the time of expiry. */
export interface ExpiredItem extends SeriesPosition {
  seriesId: string;
}

/**
 * Returns whether a series has an item or an alert that was received in a time. A new alert starts with an item, so no alert can appear in a time
 * that has neither, unless its event is stored or mapped again that late.
 */
export async function hasSeriesIn(database: Database, from: Date, before: Date): Promise<boolean> {
  for (const table of ['series_alerts', 'series_items']) {
    const index = table === 'series_items' ? 'PRIMARY' : 'by_received_at';
    const row = await database(tableByIndex(database, table, index))
      .where('received_at', '>=', from)
      .where('received_at', '<', before)
      .first(database.raw('1 AS found'));
    if (row) return true;
  }
  return false;
}

/**
 * Marks the series with an alert that was received in a time, so that they are folded again and the alert is stored again. For alerts that were
 * dropped with their partition, because they were stored after `hasSeriesIn` had returned false.
 */
export async function refoldAlertsIn(database: Database, from: Date, before: Date): Promise<void> {
  const rows = await database(tableByIndex(database, 'series_alerts', 'by_received_at'))
    .where('received_at', '>=', from)
    .where('received_at', '<', before)
    .select('series_id', 'received_at');
  for (const { series_id, received_at } of rows) {
    await database('series')
      .where('id', series_id)
      .update('refold_from', database.raw('LEAST(COALESCE(refold_from, ?), ?)', [received_at, received_at]));
  }
}

/** Returns the next items that were received before a time, oldest first. */
export async function nextExpiredItems(
  database: Database,
  before: Date,
  after: SeriesPosition | null,
  limit: number,
): Promise<ExpiredItem[]> {
  const query = database(tableByIndex(database, 'series_items', 'PRIMARY'))
    .where('received_at', '<', before)
    .limit(limit)
    .select('received_at', 'id', 'series_id');
  const place = after && { receivedAt: new Date(after.receivedAt), id: after.id };
  return (await orderByKeyset(query, arrivalKeyset('asc', place))).map((row) => ({
    receivedAt: row.received_at.getTime(),
    id: fromUuidBinary(row.id),
    seriesId: fromUuidBinary(row.series_id),
  }));
}

/** Returns the ids of those series that have more than `limit` items. */
export async function longSeries(
  database: Database,
  seriesIds: readonly string[],
  limit: number,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const { marks, values } of idLists(seriesIds)) {
    // Reads no more than `limit` entries of the index for each series.
    const sql = `SELECT id FROM series s WHERE id IN (${marks}) AND
      (SELECT 1 FROM series_items i FORCE INDEX (by_series) WHERE i.series_id = s.id LIMIT 1 OFFSET ${limit}) = 1`;
    const [rows = []] = await database.raw<[{ id: Buffer }[]]>(sql, values);
    for (const { id } of rows) found.add(fromUuidBinary(id));
  }
  return found;
}

/** Deletes those of the series whose newest item was received before a time, with their items and alerts. Returns their ids. */
export async function deleteExpiredSeries(
  transaction: Knex.Transaction,
  seriesIds: readonly string[],
  before: Date,
): Promise<string[]> {
  const expired: string[] = [];
  for (const { marks, values } of idLists([...seriesIds].sort())) {
    const sql = `SELECT id FROM series FORCE INDEX (PRIMARY)
      WHERE id IN (${marks}) AND last_received_at < ? AND refold_from IS NULL ORDER BY id FOR UPDATE`;
    const rows = await readPrepared<[id: Buffer]>(transaction, sql, [...values, before]);
    expired.push(...rows.map(([id]) => fromUuidBinary(id)));
  }
  for (const { marks, values } of idLists(expired)) {
    const ids = `(${marks})`;
    for (const sql of [
      `DELETE a FROM series_alerts s STRAIGHT_JOIN alerts a ON a.received_at = s.received_at AND a.id = s.alert_id
        WHERE s.series_id IN ${ids}`,
      `DELETE FROM series_alerts WHERE series_id IN ${ids}`,
      `DELETE i FROM series_items i FORCE INDEX (by_series) WHERE i.series_id IN ${ids}`,
      `DELETE FROM series WHERE id IN ${ids}`,
    ])
      await executePrepared(transaction, sql, values);
  }
  return expired;
}

/** Locks a series until the transaction ends. Returns null if it does not exist, or is to be folded again first. */
export async function lockFolded(
  transaction: Knex.Transaction,
  seriesId: string,
): Promise<(SeriesKey & { expiredEnd: string | null }) | null> {
  const row = await transaction('series')
    .where('id', toUuidBinary(seriesId))
    .whereNull('refold_from')
    .forUpdate()
    .first('webhook_id', 'dedup_key', 'expired_end');
  if (!row) return null;
  const { webhook_id, dedup_key, expired_end } = row;
  return {
    id: seriesId,
    webhookId: fromUuidBinary(webhook_id),
    dedupKey: dedup_key,
    expiredEnd: expired_end,
  };
}

/** Sets how many items an item stands for: itself, and the expired ones of its alert; and the newest occurrence of them. */
export async function setExpired(
  transaction: Knex.Transaction,
  { receivedAt, id }: SeriesPosition,
  { eventCount, occurrence }: { eventCount: number; occurrence: string | null },
): Promise<void> {
  await transaction('series_items')
    .where({ received_at: new Date(receivedAt), id: toUuidBinary(id) })
    .update({ event_count: eventCount, occurrence });
}

/** Sets the newest occurrence that was resolved by the items of a series that have expired. */
export async function setExpiredEnd(
  transaction: Knex.Transaction,
  seriesId: string,
  expired_end: string | null,
): Promise<void> {
  await transaction('series').where('id', toUuidBinary(seriesId)).update({ expired_end });
}

/** Removes the links to alerts of a series that were deleted, the oldest ones: from its next alert, and from its row. */
export async function forgetDeletedAlerts(
  transaction: Knex.Transaction,
  seriesId: string,
  deleted: readonly SeriesPosition[],
): Promise<void> {
  const series_id = toUuidBinary(seriesId);
  const ids = deleted.map(({ id }) => id);
  await forgetLatest(transaction, [series_id], ids);
  await transaction('series')
    .where('id', series_id)
    .whereIn('previous_alert_id', ids.map(toUuidBinary))
    .update({ previous_alert_id: null });
  const next = await transaction('series_alerts')
    .where({ series_id })
    .orderBy(['received_at', 'alert_id'])
    .first('received_at', 'alert_id');
  if (!next) return;
  const position = { receivedAt: next.received_at.getTime(), id: fromUuidBinary(next.alert_id) };
  await setPreviousAlert(transaction, position, null);
}
