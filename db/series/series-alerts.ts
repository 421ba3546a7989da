import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import { executePrepared, readPrepared, readText } from '../client/statement.js';
import { receivedAmong } from '../events/newest-first.js';
import { idLists } from './id-list.js';
import type { SeriesKey, SeriesPosition, SeriesStart } from './series.js';

/** The place of an alert in its series. */
export interface AlertPlace extends SeriesPosition {
  /** The newest occurrence that had been resolved when it opened; null if that has no value. */
  endedBefore: string | null;
}

/** Returns the last alerts of a series that start at a position or before it, newest first: at most two. */
export async function lastAlertsUpTo(
  transaction: Knex.Transaction,
  seriesId: string,
  { receivedAt, id }: SeriesPosition,
): Promise<AlertPlace[]> {
  const time = new Date(receivedAt);
  const rows = await readPrepared<Row>(
    transaction,
    `SELECT received_at, alert_id, ended_before FROM series_alerts
      WHERE series_id = ? AND received_at <= ? AND (received_at < ? OR alert_id <= ?)
      ORDER BY received_at DESC, alert_id DESC LIMIT 2`,
    [toUuidBinary(seriesId), time, time, toUuidBinary(id)],
  );
  return rows.map(toPosition);
}

/** Returns the last alert of each of several series that starts at a position or before it; null if it has none. */
export async function alertsAt(
  transaction: Knex.Transaction,
  places: readonly (SeriesPosition & { seriesId: string })[],
): Promise<(AlertPlace | null)[]> {
  const found: (AlertPlace | null)[] = places.map(() => null);
  if (places.length === 0) return found;
  const one = `(SELECT received_at, alert_id, ended_before, ? FROM series_alerts
    WHERE series_id = ? AND received_at <= ? AND (received_at < ? OR alert_id <= ?) ORDER BY received_at DESC, alert_id DESC LIMIT 1)`;
  const values = places.flatMap(({ seriesId, receivedAt, id }, index) => {
    const time = new Date(receivedAt);
    return [index, toUuidBinary(seriesId), time, time, toUuidBinary(id)];
  });
  const sql = places.map(() => one).join(' UNION ALL ');
  for (const [receivedAt, id, endedBefore, index] of await readText<[...Row, index: number]>(
    transaction,
    sql,
    values,
  ))
    found[Number(index)] = toPosition([receivedAt, id, endedBefore]);
  return found;
}

/** Alerts in one page, and in one DELETE. */
export const PAGE_ALERTS = 500;

/** Returns the next alerts of a series in order, up to and including a position: at most {@link PAGE_ALERTS}. */
export async function alertsBetween(
  transaction: Knex.Transaction,
  seriesId: string,
  start: SeriesStart,
  to: SeriesPosition,
): Promise<AlertPlace[]> {
  const [position, operator] = 'from' in start ? [start.from, '>='] : [start.after, '>'];
  const sql = `SELECT received_at, alert_id, ended_before FROM series_alerts
    WHERE series_id = ? AND received_at BETWEEN ? AND ?
      AND (received_at > ? OR alert_id ${operator} ?) AND (received_at < ? OR alert_id <= ?)
    ORDER BY received_at, alert_id LIMIT ${PAGE_ALERTS}`;
  const [first, last] = [new Date(position.receivedAt), new Date(to.receivedAt)];
  const ends = [first, toUuidBinary(position.id), last, toUuidBinary(to.id)];
  return (await readPrepared<Row>(transaction, sql, [toUuidBinary(seriesId), first, last, ...ends])).map(
    toPosition,
  );
}

type Row = [receivedAt: Date, alertId: Buffer, endedBefore: string | null];

const toPosition = ([receivedAt, id, endedBefore]: Row): AlertPlace => ({
  endedBefore,
  receivedAt: receivedAt.getTime(),
  id: fromUuidBinary(id),
});

/** Deletes alerts of a series. An alert that another series has taken over, in a remap, stays. */
export async function deleteAlerts(
  transaction: Knex.Transaction,
  { id: seriesId, dedupKey }: SeriesKey,
  alerts: readonly SeriesPosition[],
): Promise<void> {
  for (let start = 0; start < alerts.length; start += PAGE_ALERTS) {
    const some = alerts.slice(start, start + PAGE_ALERTS);
    const ids = some.map(({ id }) => toUuidBinary(id));
    const times = some.map(({ receivedAt }) => receivedAt);
    await receivedAmong(transaction('alerts'), times)
      .whereIn('id', ids)
      .where('dedup_key', dedupKey)
      .delete();
    await transaction('series_alerts')
      .where('series_id', toUuidBinary(seriesId))
      .whereBetween('received_at', [new Date(Math.min(...times)), new Date(Math.max(...times))])
      .whereIn('alert_id', ids)
      .delete();
  }
}

/** Deletes the alerts that items of a series had while they stood alone. */
export async function deleteStandAlone(
  transaction: Knex.Transaction,
  items: readonly SeriesPosition[],
): Promise<void> {
  const times = items.map(({ receivedAt }) => receivedAt);
  const ends = [new Date(Math.min(...times)), new Date(Math.max(...times))];
  for (const { marks, values } of idLists(items.map(({ id }) => id))) {
    const sql = `DELETE FROM alerts WHERE id IN (${marks}) AND received_at BETWEEN ? AND ? AND dedup_key IS NULL`;
    await executePrepared(transaction, sql, [...values, ...ends]);
  }
}

/** Sets the alert that an alert of the same series links to as its previous one. */
export async function setPreviousAlert(
  transaction: Knex.Transaction,
  { receivedAt, id }: SeriesPosition,
  previousAlertId: string | null,
): Promise<void> {
  await transaction('alerts')
    .where({ received_at: new Date(receivedAt), id: toUuidBinary(id) })
    .update({ previous_alert_id: previousAlertId === null ? null : toUuidBinary(previousAlertId) });
}

/** Marks a series, so that its items are folded again from a time on. A mark at an earlier time stays. */
export async function refoldFrom(
  transaction: Knex.Transaction,
  seriesId: string,
  receivedAt: number,
): Promise<void> {
  const time = new Date(receivedAt);
  const sql = 'UPDATE series SET refold_from = LEAST(COALESCE(refold_from, ?), ?) WHERE id = ?';
  await executePrepared(transaction, sql, [time, time, toUuidBinary(seriesId)]);
}
