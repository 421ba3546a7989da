import type { Database } from '../../../db/client/connect.js';
import { inTransaction } from '../../../db/client/transaction.js';
import type { SeriesPosition } from '../../../db/series/series.js';
import { deleteExpiredSeries, longSeries, nextExpiredItems } from '../../../db/series/series-expiry.js';
import { expireOneSeries } from './expire-one-series.js';

/** Series that are deleted in one transaction. */
const SERIES = 40;
/** Items of each of them at most. A longer series takes several transactions. */
const SHORT = 100;

/**
 * Expires the series of the next items that were received before a time: deletes those that have no newer item, and the items and alerts of
 * the others that nothing needs any more. Each transaction deletes some thousand rows at most. Returns where the items end, null if there were
 * none, and how many series were found.
 */
export async function expireSeriesPage(
  database: Database,
  before: Date,
  after: SeriesPosition | null,
  limit: number,
): Promise<{ end: SeriesPosition | null; series: number }> {
  const items = await nextExpiredItems(database, before, after, limit);
  const ids = [...new Set(items.map(({ seriesId }) => seriesId))].sort();
  const expire = (id: string) =>
    inTransaction(database, (transaction) => expireOneSeries(transaction, id, before.getTime()));
  const long = await longSeries(database, ids, SHORT);
  for (const id of long) while (!(await expire(id)));
  for (let start = 0; start < ids.length; start += SERIES) {
    const some = ids.slice(start, start + SERIES);
    const deleted = new Set(
      await inTransaction(database, (transaction) => deleteExpiredSeries(transaction, some, before)),
    );
    for (const id of some) if (!deleted.has(id) && !long.has(id)) await expire(id);
  }
  return { end: items.at(-1) ?? null, series: ids.length };
}
