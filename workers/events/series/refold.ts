import type { Knex } from 'knex';
import { clearMark, deleteSeries, lockMarked } from '../../../db/series/refold-marks.js';
import type { SeriesKey, SeriesPosition } from '../../../db/series/series.js';
import {
  alertsBetween,
  deleteAlerts,
  deleteStandAlone,
  lastAlertsUpTo,
} from '../../../db/series/series-alerts.js';
import { type SeriesAlert, SeriesWriter } from '../../../db/series/series-writer.js';
import { newestItem, nextItems } from '../../../db/series/stored-items.js';
import {
  comparePositions,
  type Folded,
  foldItems,
  NO_ITEMS,
  type Occurrence,
  RowItem,
  type SeriesItem,
  type SeriesState,
} from '../../mapping/index.js';
import { addState, toAlertRow } from './alert-row.js';

/** Below and above every other id. */
const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Later than every event. */
const END = Date.UTC(9999, 11, 31);

/**
 * Folds a marked series again, from the alert that contains the time of its mark to its end, and removes the mark. Replaces, adds and deletes
 * its alerts, and deletes the alerts that its items had while they stood alone. A series without items is deleted.
 *
 * The items are read in pages, so a long series takes little memory. Its row stays locked until the transaction ends.
 */
export async function refoldSeries(transaction: Knex.Transaction, key: SeriesKey): Promise<void> {
  const refoldFrom = await lockMarked(transaction, key.id);
  if (refoldFrom === null) return;
  const [containing, before] = await lastAlertsUpTo(transaction, key.id, {
    receivedAt: refoldFrom - 1,
    id: HIGHEST_ID,
  });
  const start = containing ?? { receivedAt: refoldFrom, id: LOWEST_ID };
  const writer = new SeriesWriter(transaction);
  const initial: SeriesState = { ...NO_ITEMS, lastAlertId: before?.id ?? null };
  const { state, row } = await foldFrom(transaction, writer, key, start, initial);
  const newest = state.newest ?? (await newestItem(transaction, key.id));
  if (!newest) {
    await deleteSeries(transaction, key.id);
    return;
  }
  addState(writer, key, newest, state.latest && row && { occurrence: state.latest, row });
  await writer.flush();
  await clearMark(transaction, key.id);
}

/** Folds all items from a position on. Returns the state at the end, and the row of the latest alert. */
async function foldFrom(
  transaction: Knex.Transaction,
  writer: SeriesWriter,
  key: SeriesKey,
  start: SeriesPosition,
  initial: SeriesState,
): Promise<{ state: SeriesState; row: SeriesAlert | null }> {
  let state = initial;
  /** Written when the next one opens, because the next page may change it. */
  let open: Occurrence | null = null;
  let next: Parameters<typeof nextItems>[2] = { from: start };
  let checked: SeriesPosition | null = null;
  for (;;) {
    const items: SeriesItem[] = (await nextItems(transaction, key.id, next)).map((row) => new RowItem(row));
    const folded = foldItems(state, items);
    const last = items.at(-1);
    const range = { after: checked, from: start, to: last ?? { receivedAt: END, id: HIGHEST_ID } };
    await deleteSurplus(transaction, key, range, folded);
    if (!last) break;
    await deleteStandAlone(
      transaction,
      items.map(({ id }) => id),
    );
    for (const occurrence of folded.occurrences) {
      if (open && open.id !== occurrence.id) writer.addAlert(key, toAlertRow(open), true);
      open = occurrence;
    }
    if (writer.isFull) await writer.flush();
    state = folded.state;
    checked = last;
    next = { after: last };
  }
  const row = open && toAlertRow(open);
  if (row) writer.addAlert(key, row, true);
  return { state, row };
}

/** A part of a series: after a position, or from the start on if that is null, up to and including another one. */
interface Range {
  after: SeriesPosition | null;
  from: SeriesPosition;
  to: SeriesPosition;
}

/** Deletes the alerts in a part of a series that none of its items opens any more. */
async function deleteSurplus(
  transaction: Knex.Transaction,
  key: SeriesKey,
  { after, from, to }: Range,
  { outcomes }: Folded,
): Promise<void> {
  const first = after ?? from;
  const stored = await alertsBetween(transaction, key.id, first.receivedAt, to.receivedAt);
  const opened = new Set(outcomes.flatMap(({ item, outcome }) => (outcome === 'opened' ? [item] : [])));
  const surplus = stored.filter(
    (alert) =>
      comparePositions(alert, first) >= (after ? 1 : 0) &&
      comparePositions(alert, to) <= 0 &&
      !opened.has(alert.id),
  );
  await deleteAlerts(transaction, key, surplus);
}
