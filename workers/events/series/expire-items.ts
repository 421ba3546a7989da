import type { Knex } from 'knex';
import { forgetDeletedAlerts, lockFolded, setEventCount } from '../../../db/series/expired-series.js';
import { deleteSeries } from '../../../db/series/refold-marks.js';
import type { SeriesKey, SeriesPosition } from '../../../db/series/series.js';
import { deleteAlerts } from '../../../db/series/series-alerts.js';
import { deleteItems, newestItem, nextItems } from '../../../db/series/stored-items.js';
import {
  type Folded,
  foldItems,
  isFiring,
  NO_ITEMS,
  type Occurrence,
  RowItem,
  type SeriesItem,
  type SeriesState,
} from '../../mapping/index.js';

/** Items in one transaction. */
const STEP = 1_000;
const FIRST: SeriesPosition = { receivedAt: 0, id: '00000000-0000-0000-0000-000000000000' };

/**
 * Expires the items of a series that were received before a time, while it has newer ones. Deletes alerts that were resolved before that
 * time, with their items. Of an alert that goes on, deletes the items that it does without: all but its first and newest one and those that
 * provide its texts. The first item counts for the deleted ones, so later folds give the same alert.
 *
 * Deletes at most about `limit` items in one transaction: call it again until it returns true. The rest is then as if the time were earlier. Also
 * deletes the series if none of its items is left. Does nothing while the series is to be folded again.
 */
export async function expireItems(
  transaction: Knex.Transaction,
  seriesId: string,
  before: number,
  limit = STEP,
): Promise<boolean> {
  const key = await lockFolded(transaction, seriesId);
  if (!key) return true;
  let state: SeriesState = NO_ITEMS;
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
  if (kept && kept.count > 0) {
    const { receivedAt, id, own } = kept.first;
    await setEventCount(transaction, { receivedAt, id }, own + kept.count);
  }
  if (deleted > 0 && !(await newestItem(transaction, seriesId))) await deleteSeries(transaction, seriesId);
  return isDone;
}

/** What stays of an alert that goes on. */
interface Kept {
  /** The item that opened it, and how many it stood for before. */
  first: SeriesPosition & { own: number };
  items: readonly SeriesItem[];
  /** How many events its deleted items stood for. */
  count: number;
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
  const ended = [...(goesOn ? [] : (before?.items ?? [])), ...others];
  const alerts = occurrences.filter(({ id }) => id !== current?.id);
  if (!current) return { kept: null, items: ended, alerts };
  const needed = neededBy(current);
  const all = [...(goesOn?.items ?? []), ...own];
  const surplus = all.filter(({ id }) => !needed.has(id));
  const kept = {
    first: goesOn?.first ?? firstOf(current, own),
    items: all.filter(({ id }) => needed.has(id)),
    count: surplus.reduce((sum, { eventCount }) => sum + eventCount, goesOn?.count ?? 0),
  };
  return { kept, items: [...ended, ...surplus], alerts };
}

const firstOf = ({ receivedAt, id }: Occurrence, items: readonly SeriesItem[]): Kept['first'] => ({
  receivedAt,
  id,
  own: items.find((item) => item.id === id)?.eventCount ?? 1,
});

/** Returns the ids of the items that an alert is made of: the others only count. */
const neededBy = ({ id, newest, providers }: Occurrence): ReadonlySet<string> =>
  new Set([
    id,
    newest.id,
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
