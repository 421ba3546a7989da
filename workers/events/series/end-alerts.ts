import type { Knex } from 'knex';
import { hasDestinations } from '../../../db/outbox/outbox.js';
import { type EndItem, insertEnds, type JobEnd } from '../../../db/series/ends.js';
import { lockStored } from '../../../db/series/lock-series.js';
import { markForRefold } from '../../../db/series/refold-marks.js';
import { readExpiries } from '../../../db/series/series-expiries.js';
import { deleteItems } from '../../../db/series/series-items.js';
import { endItem } from './expiry.js';
import { updateSeries } from './update-series.js';

/** The end of an alert. */
export interface AlertEnd extends EndItem {
  /** The alert that ends. */
  alertId: string;
  /** Of an expiry: when the newest event that it knew of was repeated last, in milliseconds since 1970. */
  heardAt?: number;
}

/**
 * Ends alerts that still fire, as items of their series, whose order decides as that of events does. Leaves alone an alert that is over, and one
 * that got an event, or a repetition of one, after its expiry was decided.
 * @param ends at most one of each series
 * @returns how many ended
 */
export async function endAlerts(transaction: Knex.Transaction, ends: readonly AlertEnd[]): Promise<number> {
  const sorted = [...ends].sort((one, other) => (one.series.id < other.series.id ? -1 : 1));
  const stored = await lockStored(
    transaction,
    sorted.map(({ series }) => series),
  );
  const heard = await readExpiries(
    transaction,
    sorted.flatMap(({ series, heardAt }) => (heardAt === undefined ? [] : series.id)),
  );
  const due = sorted.filter(({ series, alertId, silentSince, heardAt }) => {
    const alert = stored.get(series.id)?.alert;
    if (!alert?.firing || alert.id !== alertId) return false;
    if (heardAt !== undefined && (heard.get(series.id)?.heardAt ?? heardAt) > heardAt) return false;
    return silentSince === null || alert.newest.receivedAt <= silentSince;
  });
  await insertEnds(transaction, due);
  await updateSeries(transaction, due.map(endItem), { tells: await hasDestinations(transaction) });
  return due.length;
}

/**
 * Takes ends back, as if they had never been, and marks their series to be folded again. Leaves alone an alert that is not the latest of its series
 * any more: the events after its end belong to the next one.
 * @returns how many were taken back
 */
export async function takeBackEnds(
  transaction: Knex.Transaction,
  ends: readonly JobEnd[],
  receivedAt: number,
): Promise<number> {
  const sorted = [...ends].sort((one, other) => (one.series.id < other.series.id ? -1 : 1));
  const stored = await lockStored(
    transaction,
    sorted.map(({ series }) => series),
  );
  const due = sorted.filter(({ id, series }) => stored.get(series.id)?.alert?.newest.id === id);
  if (due.length === 0) return 0;
  await deleteItems(
    transaction,
    due.map(({ id }) => ({ id, receivedAt })),
  );
  await markForRefold(transaction, { keys: due.map(({ series }) => series), gone: [], from: receivedAt });
  return due.length;
}
