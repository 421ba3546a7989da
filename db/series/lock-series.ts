import type { Knex } from 'knex';
import { fromUuidBinary } from '../bulk/uuid-binary.js';
import { readPrepared } from '../client/statement.js';
import { idLists } from './id-list.js';
import {
  NEW_SERIES,
  type SeriesKey,
  type SeriesPosition,
  type StoredSeries,
  type StoredSeriesAlert,
} from './series.js';
import { CREATED_SERIES } from './series-tables.js';
import { addKey } from './series-writer.js';

/**
 * Locks series until the transaction ends, and returns their states by id. Creates those that do not exist.
 * @param keys sorted by id. All transactions lock existing series in this order, so there they wait for each other instead of deadlocking.
 * New ones can deadlock, because series that exist are locked before: the caller repeats its transaction then
 */
export async function lockSeries(
  transaction: Knex.Transaction,
  keys: readonly SeriesKey[],
): Promise<Map<string, StoredSeries>> {
  const found = await lockStored(transaction, keys);
  const missing = keys.filter(({ id }) => !found.has(id));
  if (missing.length === 0) return found;
  const rows = CREATED_SERIES.rows();
  for (const key of missing) {
    addKey(rows, key);
    rows.endRow();
  }
  await CREATED_SERIES.insert(transaction, rows);
  // Another transaction may have created and updated them first.
  for (const [id, series] of await lockStored(transaction, missing)) found.set(id, series);
  return found;
}

/** Locks those of the series that exist, and returns their states by id. */
export async function lockStored(
  transaction: Knex.Transaction,
  keys: readonly Pick<SeriesKey, 'id'>[],
): Promise<Map<string, StoredSeries>> {
  const found = new Map<string, StoredSeries>();
  for (const { marks, values } of idLists(keys.map(({ id }) => id))) {
    // Without the hint, a small table would be scanned, and the scan would wait for rows that are not in the list.
    const sql = `SELECT id, last_received_at, last_item, firing, alert_received_at, alert_id, alert_last_received_at,
      alert_last_item, event_count, previous_alert_id, providers, alert_bytes, refold_from, ended, occurrence, expired_end,
      closed_by, peak, severity
      FROM series FORCE INDEX (PRIMARY) WHERE id IN (${marks}) ORDER BY id FOR UPDATE`;
    for (const row of await readPrepared<Row>(transaction, sql, values))
      found.set(fromUuidBinary(row[0]), toSeries(row));
  }
  return found;
}

type Row = [
  id: Buffer,
  lastReceivedAt: Date | null,
  lastItem: Buffer | null,
  firing: number,
  alertReceivedAt: Date | null,
  alertId: Buffer | null,
  alertLastReceivedAt: Date | null,
  alertLastItem: Buffer | null,
  eventCount: number,
  previousAlertId: Buffer | null,
  providers: string | null,
  alertBytes: number,
  refoldFrom: Date | null,
  ended: string | null,
  occurrence: string | null,
  expiredEnd: string | null,
  closedBy: StoredSeriesAlert['closedBy'],
  peak: string | null,
  severity: string | null,
];

function toSeries(row: Row): StoredSeries {
  const newest = toPosition(row[1], row[2]);
  const first = toPosition(row[4], row[5]);
  const last = toPosition(row[6], row[7]);
  const refoldFrom = row[12];
  if (!newest && !refoldFrom) return NEW_SERIES;
  return {
    newest,
    ended: row[13],
    expiredEnd: row[15],
    refoldFrom: refoldFrom?.getTime() ?? null,
    alert: first &&
      last && {
        receivedAt: first.receivedAt,
        id: first.id,
        firing: row[3] === 1,
        newest: last,
        eventCount: row[8],
        previousAlertId: row[9] && fromUuidBinary(row[9]),
        occurrence: row[14],
        closedBy: row[16],
        peak: row[17],
        severity: row[18],
        providers: row[10] ?? '',
        bytes: row[11],
      },
  };
}

const toPosition = (time: Date | null, id: Buffer | null): SeriesPosition | null =>
  time && id && { receivedAt: time.getTime(), id: fromUuidBinary(id) };
