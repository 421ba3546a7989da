import type { Database } from '../../../db/client/connect.js';
import type { Deadline } from '../../../db/client/deadline.js';
import type { Alert } from '../../../db/events/alerts/alerts.js';
import { itemsOfAlert, resolvingItem } from '../../../db/series/alert-items.js';
import type { SeriesPosition } from '../../../db/series/series.js';
import { PAGE_ITEMS } from '../../../db/series/series-items.js';
import { comparePositions, RowItem, type SeriesItem } from '../../../workers/mapping/index.js';

/** An alert of a series: with a deduplication key, or of identical events. */
export type KeyedAlert = Alert & { seriesKey: string };

export const isKeyed = (alert: Alert): alert is KeyedAlert => alert.seriesKey !== null;

const positionOf = ({ id, receivedAt }: Alert): SeriesPosition => ({ id, receivedAt: receivedAt.getTime() });

interface Reading {
  database: Database;
  deadline: Deadline;
}

/** Yields the items of an alert in the order in which they were accepted, from the first one or after a position. */
export async function* itemsInOrder(
  { database, deadline }: Reading,
  alert: KeyedAlert,
  after: SeriesPosition | null,
): AsyncGenerator<SeriesItem> {
  for (let place = after; ; ) {
    const rows = await itemsOfAlert(database, alert, { order: 'asc', after: place, deadline });
    for (const row of rows) {
      const item = new RowItem(row);
      if (comparePositions(item, positionOf(alert)) < 0) continue;
      yield item;
      if (item.status === 'resolved') return;
    }
    place = rows.at(-1) ?? null;
    if (rows.length < PAGE_ITEMS) return;
  }
}

/** Yields the items of an alert, the newest first. */
export async function* newestItems(
  { database, deadline }: Reading,
  alert: KeyedAlert,
): AsyncGenerator<SeriesItem> {
  const last = alert.resolvedAt && (await resolvingItem(database, alert, deadline));
  for (let after: SeriesPosition | null = null; ; ) {
    const rows = await itemsOfAlert(database, alert, { order: 'desc', after, deadline });
    for (const row of rows) {
      const item = new RowItem(row);
      if (comparePositions(item, positionOf(alert)) < 0) return;
      if (!last || comparePositions(item, last) <= 0) yield item;
    }
    after = rows.at(-1) ?? null;
    if (rows.length < PAGE_ITEMS) return;
  }
}
