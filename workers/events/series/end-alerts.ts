import type { Knex } from 'knex';
import { hasDestinations } from '../../../db/outbox/outbox.js';
import { type EndItem, insertEnds, type JobEnd } from '../../../db/series/ends.js';
import { lockStored } from '../../../db/series/lock-series.js';
import { markForRefold } from '../../../db/series/refold-marks.js';
import { deleteItems } from '../../../db/series/series-items.js';
import { endItem } from './expiry.js';
import { updateSeries } from './update-series.js';

/** The end of an alert. */
export interface AlertEnd extends EndItem {
  /** The alert that ends. */
  alertId: string;
}

/**
 * Ends alerts that still fire, as items of their series, whose order decides as that of events does. Leaves alone an alert that is over, and one
 * that got an event after its expiry was decided.
 * @param ends at most one of each series
 * @returns how many ended
 */
export async function endAlerts(transaction: Knex.Transaction, ends: readonly AlertEnd[]): Promise<number> {
  const sorted = [...ends].sort((one, other) => (one.series.id < other.series.id ? -1 : 1));
  const stored = await lockStored(
    transaction,
    sorted.map(({ series }) => series),
  );
  const due = sorted.filter(({ series, alertId, silentSince }) => {
    const alert = stored.get(series.id)?.alert;
    if (!alert?.firing || alert.id !== alertId) return false;
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
