import type { Knex } from 'knex';
import { FIRST, type SeriesKey, type SeriesPosition } from '../../../db/series/series.js';
import {
  type AlertPlace,
  alertsBetween,
  deleteAlerts,
  lastAlertsUpTo,
  setPreviousAlert,
} from '../../../db/series/series-alerts.js';
import { nextItems, setStatus } from '../../../db/series/series-items.js';
import type { SeriesWriter } from '../../../db/series/series-writer.js';
import {
  comparePositions,
  type Folded,
  foldItems,
  noItemsOf,
  type Occurrence,
  RowItem,
  type SeriesItem,
  type SeriesState,
} from '../../mapping/index.js';
import { toAlertRow } from './alert-row.js';
import { wrongStatuses } from './wrong-statuses.js';

interface Writing {
  transaction: Knex.Transaction;
  writer: SeriesWriter;
}

/**
 * Folds stored items again where late items change the bounds of alerts: from the alert that contains the first of them up to the next alert
 * that stays as it is. Replaces, adds and deletes the alerts in between.
 *
 * @param late sorted by position; they are stored already
 * @param state of the series without them
 * @param expiredEnd the newest occurrence that items resolved that have expired
 * @returns the state, and whether all newer items are folded into it. If not, the latest alert stays as it is except for the one before it
 */
export async function foldLateItems(
  writing: Writing,
  key: SeriesKey,
  late: readonly SeriesItem[],
  { state, expiredEnd }: { state: SeriesState; expiredEnd: string | null },
): Promise<{ state: SeriesState; isComplete: boolean }> {
  let latest = state.latest;
  for (let left = late; ; ) {
    const [first, ...others] = left;
    if (!first) break;
    const { folded, next } = await foldSegment(writing, key, { late: [first, ...others], expiredEnd });
    await writing.writer.flush();
    if (!next) return { state: folded, isComplete: true };
    await setPreviousAlert(writing.transaction, next, folded.lastAlertId);
    if (latest?.id === next.id) latest = { ...latest, previousAlertId: folded.lastAlertId };
    left = left.filter((item) => comparePositions(item, next) > 0);
  }
  return { state: { ...state, latest }, isComplete: false };
}

/** At least one item. */
type LateItems = readonly [SeriesItem, ...SeriesItem[]];

/** The alerts from a late item to the next alert that stays as it is: `next`, or null at the end of the series. */
interface Segment {
  folded: SeriesState;
  next: SeriesPosition | null;
}

async function foldSegment(
  { transaction, writer }: Writing,
  key: SeriesKey,
  { late, expiredEnd }: { late: LateItems; expiredEnd: string | null },
): Promise<Segment> {
  const [first] = late;
  const [containing, before] = await lastAlertsUpTo(transaction, key.id, first);
  const ended = containing ? containing.endedBefore : expiredEnd;
  let state: SeriesState = {
    ...noItemsOf(key.dedupKey),
    lastAlertId: before?.id ?? null,
    ended,
  };
  let start: Parameters<typeof nextItems>[2] = { from: containing ?? FIRST };
  /** Written when the next one opens, because the next page may change it. */
  let open: Occurrence | null = null;
  for (;;) {
    const items: SeriesItem[] = (await nextItems(transaction, key.id, start)).map((row) => new RowItem(row));
    const page = await foldPage(transaction, key, state, items, late);
    for (const occurrence of page.folded.occurrences) {
      if (open && open.id !== occurrence.id) writer.addAlert(key, toAlertRow(open), true);
      open = occurrence;
    }
    state = page.folded.state;
    const last = items.at(-1);
    if (page.next || !last) {
      if (open) writer.addAlert(key, toAlertRow(open), true);
      return { folded: state, next: page.next };
    }
    if (writer.isFull) await writer.flush();
    start = { after: last };
  }
}

/** Folds a page of items, marks those that change no alert, and deletes the alerts that none of them opens any more. */
async function foldPage(
  transaction: Knex.Transaction,
  key: SeriesKey,
  state: SeriesState,
  items: readonly SeriesItem[],
  late: LateItems,
): Promise<{ folded: Folded; next: SeriesPosition | null }> {
  const all = foldItems(state, items);
  const [first, last] = [items[0], items.at(-1)];
  if (!first || !last) return { folded: all, next: null };
  const stored = await alertsBetween(transaction, key.id, { from: first }, last);
  const end = findEnd(items, all, { stored, late });
  const next = items[end];
  const opened = new Map(all.outcomes.map(({ item, outcome }) => [item, outcome === 'opened']));
  const surplus = stored.filter(({ id }) => opened.get(id) === false);
  await deleteAlerts(transaction, key, surplus);
  if (!next) {
    await setStatus(transaction, wrongStatuses(items, all));
    return { folded: all, next: null };
  }
  const some = items.slice(0, end);
  const folded = foldItems(state, some);
  await setStatus(transaction, wrongStatuses(some, folded));
  return { folded, next: { receivedAt: next.receivedAt, id: next.id } };
}

/**
 * Returns the number of the first item from which on nothing changes: it opens an alert that is stored, after the first late item and after
 * the same ends, and no late item follows on the page. -1 if there is none.
 */
function findEnd(
  items: readonly SeriesItem[],
  { outcomes, occurrences }: Folded,
  { stored, late }: { stored: readonly AlertPlace[]; late: LateItems },
): number {
  const lateIds = new Set(late.map(({ id }) => id));
  const endedBefore = new Map(stored.map((place) => [place.id, place.endedBefore]));
  const same = new Set(
    occurrences.flatMap((one) => (one.endedBefore === endedBefore.get(one.id) ? [one.id] : [])),
  );
  const lastLate = items.findLastIndex(({ id }) => lateIds.has(id));
  return items.findIndex((item, index) => {
    const opens = outcomes[index]?.outcome === 'opened';
    return opens && index > lastLate && same.has(item.id) && comparePositions(item, late[0]) > 0;
  });
}
