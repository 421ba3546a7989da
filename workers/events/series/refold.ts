import type { Knex } from 'knex';
import { latestAlerts } from '../../../db/series/latest-alerts.js';
import { lockStored } from '../../../db/series/lock-series.js';
import { deleteSeries, forgetState, setMark } from '../../../db/series/refold-marks.js';
import { FIRST, type SeriesKey, type SeriesPosition, type StoredSeries } from '../../../db/series/series.js';
import { lastAlertsUpTo } from '../../../db/series/series-alerts.js';
import { SeriesWriter } from '../../../db/series/series-writer.js';
import { newestItem } from '../../../db/series/stored-items.js';
import { noItemsOf, type SeriesState } from '../../mapping/index.js';
import { addState } from './alert-row.js';
import { foldMarkedItems, HIGHEST_ID } from './fold-marked-items.js';
import { readState } from './stored-state.js';

/** Below every other id. */
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
/** Items, and alerts to delete, in one transaction. */
const STEP = 10_000;

/**
 * Folds a marked series again, from the alert that contains the time of its mark on. Replaces, adds and deletes its alerts, and deletes the
 * alerts that its items had while they stood alone. Removes the mark at the end of the series; a series without items is deleted.
 *
 * A long series takes several transactions, so call this again until it returns true. Each moves the mark forward, and stores the state
 * before it, where the next one goes on. The items are read in pages. The row is locked until the transaction ends.
 *
 * @param limit about how many items and deleted alerts a transaction has
 */
export async function refoldSeries(
  transaction: Knex.Transaction,
  key: SeriesKey,
  limit = STEP,
): Promise<boolean> {
  const series = (await lockStored(transaction, [key])).get(key.id);
  if (!series || series.refoldFrom === null) return true;
  const writer = new SeriesWriter(transaction);
  const start = await startOf(transaction, key, series, series.refoldFrom);
  const range = { ...start, refoldFrom: series.refoldFrom, limit };
  const { state, row, stop } = await foldMarkedItems({ transaction, writer, key }, range);
  const newest = state.newest ?? (stop === null ? await newestItem(transaction, key.id) : null);
  const { ended } = state;
  if (newest)
    addState(writer, key, { newest, ended }, state.latest && row && { occurrence: state.latest, row });
  else if (stop !== null) await forgetState(transaction, key.id);
  else {
    await deleteSeries(transaction, key.id);
    return true;
  }
  await writer.flush();
  await setMark(transaction, key.id, stop);
  return stop === null;
}

/**
 * Returns where the fold starts, and the state before it. The stored state is used if it is older than the mark: then it has all items before
 * the mark. Otherwise the fold starts with the alert that contains the mark, or with the first item.
 */
async function startOf(
  transaction: Knex.Transaction,
  key: SeriesKey,
  series: StoredSeries,
  refoldFrom: number,
): Promise<{ from: SeriesPosition; state: SeriesState }> {
  const { id } = key;
  const mark = { receivedAt: refoldFrom, id: LOWEST_ID };
  if (series.newest && series.newest.receivedAt < refoldFrom) {
    const texts = series.alert && (await latestAlerts(transaction, [id])).get(id);
    if (texts || !series.alert) return { from: mark, state: readState(key, series, texts ?? null) };
  }
  const noItems = noItemsOf(key.dedupKey);
  const end = { receivedAt: refoldFrom - 1, id: HIGHEST_ID };
  const [containing, before] = await lastAlertsUpTo(transaction, id, end);
  if (!containing) return { from: FIRST, state: { ...noItems, ended: series.expiredEnd } };
  const state = { ...noItems, lastAlertId: before?.id ?? null, ended: containing.endedBefore };
  return { from: containing, state };
}
