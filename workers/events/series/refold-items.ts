import type { Knex } from 'knex';
import type { SeriesKey, SeriesPosition, SeriesStart } from '../../../db/series/series.js';
import {
  alertsBetween,
  deleteAlerts,
  deleteStandAlone,
  PAGE_ALERTS,
} from '../../../db/series/series-alerts.js';
import { nextItems, setStatus } from '../../../db/series/series-items.js';
import type { SeriesAlert, SeriesWriter } from '../../../db/series/series-writer.js';
import {
  foldItems,
  type Occurrence,
  RowItem,
  type SeriesItem,
  type SeriesState,
} from '../../mapping/index.js';
import { toAlertRow } from './alert-row.js';
import { wrongStatuses } from './wrong-statuses.js';

/** Above every other id. */
export const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** Later than every event. */
export const END: SeriesPosition = { receivedAt: Date.UTC(9999, 11, 31), id: HIGHEST_ID };

interface Writing {
  transaction: Knex.Transaction;
  writer: SeriesWriter;
  key: SeriesKey;
}

interface Marked {
  from: SeriesPosition;
  /** The state before `from`. */
  state: SeriesState;
  refoldFrom: number;
  /** After about so many items and deleted alerts, the fold stops. */
  limit: number;
}

interface MarkedFold {
  state: SeriesState;
  /** The row of the latest alert. */
  row: SeriesAlert | null;
  /** All items before this time are folded, and no later one. Null: all items are folded. */
  stop: number | null;
}

/** Folds the items of a series from a position on, and deletes the alerts that none of them opens any more. */
export async function refoldItems(writing: Writing, marked: Marked): Promise<MarkedFold> {
  const { transaction, writer, key } = writing;
  const { refoldFrom, limit } = marked;
  let { state } = marked;
  /** Written when the next one opens, because the next page may change it. */
  let open = state.latest;
  const { latest } = state;
  const isNew = ({ id }: Occurrence): boolean => id !== latest?.id;
  let start: SeriesStart = { from: marked.from };
  let stop: number | null = null;
  for (let handled = 0; stop === null; ) {
    const rows = await nextItems(transaction, key.id, start, limit);
    const items: SeriesItem[] = rows.map((row) => new RowItem(row));
    const { newest } = state;
    // A mark can only be between items of different milliseconds, and has to move.
    const canStop = (time: number): boolean => time > refoldFrom && (!newest || newest.receivedAt < time);
    const last = items.at(-1);
    const surplus = await deleteSurplus(writing, start, {
      to: last ?? END,
      opened: openedBy(state, items),
      isEnough: (count, time) => handled + count >= limit && canStop(time),
    });
    stop = surplus.stop;
    handled += surplus.deleted + items.filter(({ receivedAt }) => receivedAt >= refoldFrom).length;
    if (!last && stop === null) break;
    if (last && stop === null && handled >= limit && canStop(last.receivedAt)) stop = last.receivedAt;
    const end = stop ?? Number.POSITIVE_INFINITY;
    const taken = items.filter(({ receivedAt }) => receivedAt < end);
    await deleteStandAlone(transaction, taken);
    const folded = foldItems(state, taken);
    await setStatus(transaction, wrongStatuses(taken, folded));
    for (const occurrence of folded.occurrences) {
      if (open && open.id !== occurrence.id) writer.addAlert(key, toAlertRow(open), isNew(open));
      open = occurrence;
    }
    if (writer.isFull) await writer.flush();
    state = folded.state;
    if (last) start = { after: last };
  }
  const row = open && toAlertRow(open);
  if (open && row) writer.addAlert(key, row, isNew(open));
  return { state, row, stop };
}

/** Returns the ids of the items that open an alert. */
const openedBy = (state: SeriesState, items: readonly SeriesItem[]): ReadonlySet<string> =>
  new Set(
    foldItems(state, items).outcomes.flatMap(({ item, outcome }) => (outcome === 'opened' ? [item] : [])),
  );

interface Part {
  to: SeriesPosition;
  /** The ids of the alerts that stay. */
  opened: ReadonlySet<string>;
  /** Returns whether to stop at an alert that starts at this time, after so many were deleted. */
  isEnough(deleted: number, time: number): boolean;
}

/** Deletes the alerts of a part of a series, except some. `stop`: the time of the alert at which it stopped. */
async function deleteSurplus(
  { transaction, key }: Writing,
  start: SeriesStart,
  { to, opened, isEnough }: Part,
): Promise<{ deleted: number; stop: number | null }> {
  let deleted = 0;
  for (let next = start; ; ) {
    const alerts = await alertsBetween(transaction, key.id, next, to);
    const surplus = alerts.filter(({ id }) => !opened.has(id));
    await deleteAlerts(transaction, key, surplus);
    deleted += surplus.length;
    const last = alerts.at(-1);
    if (!last || alerts.length < PAGE_ALERTS) return { deleted, stop: null };
    if (isEnough(deleted, last.receivedAt)) return { deleted, stop: last.receivedAt };
    next = { after: last };
  }
}
