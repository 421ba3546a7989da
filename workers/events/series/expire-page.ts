import type { Database } from '../../../db/client/connect.js';
import { inTransaction } from '../../../db/client/transaction.js';
import { deleteExpiredSeries, nextExpiredItems } from '../../../db/series/expired-series.js';
import type { SeriesPosition } from '../../../db/series/series.js';
import { expireItems } from './expire-items.js';

/**
 * Expires the series of the next items that were received before a time: deletes those that have no newer item, and the items and alerts of
 * the others that nothing needs any more. Returns where the items end, null if there were none, and how many series were found.
 */
export async function expirePage(
  database: Database,
  before: Date,
  after: SeriesPosition | null,
  limit: number,
): Promise<{ end: SeriesPosition | null; series: number }> {
  const items = await nextExpiredItems(database, before, after, limit);
  const ids = [...new Set(items.map(({ seriesId }) => seriesId))];
  const deleted = new Set(
    await inTransaction(database, (transaction) => deleteExpiredSeries(transaction, ids, before)),
  );
  for (const id of ids) {
    if (!deleted.has(id))
      await inTransaction(database, (transaction) => expireItems(transaction, id, before.getTime()));
  }
  return { end: items.at(-1) ?? null, series: ids.length };
}
