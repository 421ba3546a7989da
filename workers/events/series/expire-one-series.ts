import type { Knex } from 'knex';
import { deleteSeries } from '../../../db/series/refold-marks.js';
import { FIRST, type SeriesKey, type SeriesPosition } from '../../../db/series/series.js';
import { deleteAlerts } from '../../../db/series/series-alerts.js';
import {
  forgetDeletedAlerts,
  lockFolded,
  setExpired,
  setExpiredEnd,
} from '../../../db/series/series-expiry.js';
import { deleteItems, newestItem, nextItems } from '../../../db/series/series-items.js';
import {
  comparePositions,
  type Folded,
  foldItems,
  goingOnAt,
  isFiring,
  isOlder,
  MIXED,
  noItemsOf,
  type Occurrence,
  RowItem,
  type SeriesItem,
  type SeriesState,
} from '../../mapping/index.js';

/** Items in one transaction. */
const STEP = 1_000;

/**
 * Expires the items of a series that were received before a time, while it has newer ones. Deletes alerts that were resolved before that
 * time, with their items. Of an alert that goes on, deletes the items that it does without: all but its first and newest one and those that
 * provide its texts, and the end of another occurrence since it opened. The first item counts for the deleted ones, and has the newest of their
 * occurrences, so later folds give the same alert. The series keeps what the others had resolved.
 *
 * Deletes at most about `limit` items in one transaction: call it again until it returns true. The rest is then as if the time were earlier. Also
 * deletes the series if none of its items is left. Does nothing while the series is to be folded again.
 */
export async function expireOneSeries(
  transaction: Knex.Transaction,
  seriesId: string,
  before: number,
  limit = STEP,
): Promise<boolean> {
  const key = await lockFolded(transaction, seriesId);
  if (!key) return true;
  let state: SeriesState = { ...noItemsOf(key.dedupKey), ended: key.expiredEnd };
  let start: Parameters<typeof nextItems>[2] = { from: FIRST };
  let kept: Kept | null = null;
  let deleted = 0;
  let isDone = false;
  while (!isDone && deleted < limit) {
    const page: SeriesItem[] = (await nextItems(transaction, seriesId, start)).map((row) => new RowItem(row));
    const items = page.filter(({ receivedAt }) => receivedAt < before);
    const folded = foldItems(state, items);
    const expired = split(kept, items, folded);
    await deleteItems(transaction, expired.items);
    await forget(transaction, key, expired.alerts);
    deleted += expired.items.length;
    kept = expired.kept;
    state = folded.state;
    const last = page.at(-1);
    isDone = !last || items.length < page.length;
    if (last) start = { after: last };
  }
  const { latest } = state;
  if (kept && latest && isDone && !goingOnAt(before, state)) {
    // No item that is left can belong to it, because its window has passed.
    const items = itemsOf(kept);
    await deleteItems(transaction, items);
    deleted += items.length;
    await forget(transaction, key, [latest]);
    kept = null;
  }
  if (kept && kept.count > 0) {
    const { receivedAt, id, own } = kept.first;
    const { occurrence, count } = kept;
    await setExpired(transaction, { receivedAt, id }, { eventCount: own + count, occurrence });
  }
  const expiredEnd = kept ? (state.latest?.endedBefore ?? null) : state.ended;
  if (deleted > 0 && expiredEnd !== key.expiredEnd) await setExpiredEnd(transaction, seriesId, expiredEnd);
  if (deleted > 0 && !(await newestItem(transaction, seriesId))) await deleteSeries(transaction, seriesId);
  return isDone;
}

/** What stays of an alert that goes on. */
interface Kept {
  /** The item that opened it, and how many it stood for before. */
  first: SeriesPosition & { own: number; occurrence: string | null };
  items: readonly SeriesItem[];
  /** How many events its deleted items stood for. */
  count: number;
  /** The newest occurrence of the deleted items. */
  occurrence: string | null;
  /** The item that resolved the newest of the other occurrences while it fired. */
  end: SeriesItem | null;
  /**
   * All items since its occurrences do not compare any more, and the ends among them; null while they compare. They stay: the first item cannot
   * stand for one occurrence in place of all.
   */
  mixed: readonly SeriesItem[] | null;
}

/** Returns what a page of expired items leaves of a series, and what is to be deleted. */
function split(
  before: Kept | null,
  items: readonly SeriesItem[],
  { state: { latest }, outcomes, occurrences }: Folded,
): { kept: Kept | null; items: SeriesItem[]; alerts: Occurrence[] } {
  const current = latest && isFiring(latest) ? latest : null;
  const goesOn = before && before.first.id === current?.id ? before : null;
  const own = items.filter((_, index) => current && outcomes[index]?.alertId === current.id);
  const others = items.filter((_, index) => !current || outcomes[index]?.alertId !== current.id);
  const ended = [...(goesOn ? [] : itemsOf(before)), ...others];
  const alerts = occurrences.filter(({ id }) => id !== current?.id);
  if (!current) return { kept: null, items: ended, alerts };
  const first = goesOn?.first ?? firstOf(current, own);
  const ends = [
    ...(goesOn?.end ? [goesOn.end] : []),
    ...others.filter(
      ({ status, origin, ...place }) =>
        status === 'resolved' && origin === 'event' && comparePositions(place, current) > 0,
    ),
  ];
  const all = [...(goesOn?.items ?? []), ...own];
  const mixed = goesOn?.mixed ?? (current.occurrence === MIXED ? [...all, ...ends] : null);
  const needed = neededBy(current, mixed);
  const end = newestEnd(ends);
  const surplus = all.filter(({ id }) => !needed.has(id));
  const kept = {
    first,
    items: all.filter(({ id }) => needed.has(id)),
    count: surplus.reduce((sum, { eventCount }) => sum + eventCount, goesOn?.count ?? 0),
    occurrence: mixed ? (goesOn?.occurrence ?? first.occurrence) : current.occurrence,
    end,
    mixed,
  };
  const outlived = [...ended, ...ends].filter((item) => item !== end && !mixed?.includes(item));
  return { kept, items: [...new Set([...outlived, ...surplus])], alerts };
}

const itemsOf = (kept: Kept | null): SeriesItem[] => [
  ...new Set([...(kept?.items ?? []), ...(kept?.mixed ?? []), ...(kept?.end ? [kept.end] : [])]),
];

/** Returns the item with the newest occurrence. Where they do not compare, that is the last one. */
const newestEnd = (items: readonly SeriesItem[]): SeriesItem | null =>
  items.reduce<SeriesItem | null>(
    (newest, item) => (newest && isOlder(item.occurrence, newest.occurrence) ? newest : item),
    null,
  );

function firstOf({ receivedAt, id }: Occurrence, items: readonly SeriesItem[]): Kept['first'] {
  const item = items.find((item) => item.id === id);
  return { receivedAt, id, own: item?.eventCount ?? 1, occurrence: item?.occurrence ?? null };
}

/** Returns the ids of the items that an alert is made of: the others only count. */
const neededBy = (
  { id, newest, newestEvent, peak, providers }: Occurrence,
  mixed: Kept['mixed'],
): ReadonlySet<string> =>
  new Set([
    id,
    ...(mixed ?? []).map((item) => item.id),
    newest.id,
    newestEvent.id,
    peak.id,
    ...(providers?.own ?? []).map((item) => item.id),
    ...[...(providers?.custom.values() ?? [])].map((item) => item.id),
  ]);

async function forget(
  transaction: Knex.Transaction,
  key: SeriesKey,
  alerts: readonly SeriesPosition[],
): Promise<void> {
  if (alerts.length === 0) return;
  await deleteAlerts(transaction, key, alerts);
  await forgetDeletedAlerts(transaction, key.id, alerts);
}
