import type { Database } from '../../db/client/connect.js';
import { inTransaction } from '../../db/client/transaction.js';
import { paramsOfOpenJobs } from '../../db/jobs/jobs-upkeep.js';
import type { SeriesPosition } from '../../db/series/series.js';
import { deleteExpiredSeries, longSeries, nextExpiredItems } from '../../db/series/series-expiry.js';
import { expireOneSeries } from '../events/series/expire-one-series.js';
import { refoldMarked } from '../events/series/refold-series.js';
import { alertRemap, alertRemapParams } from '../queues/contracts/alert-remap.js';
import { WorkerClosing } from '../run/errors.js';
import type { UpkeepTask } from './task.js';

/** Items in a page. */
const ITEMS = 1_000;
/** After this time, all expired items are looked at again: those that alerts still need, and late ones. */
const START_AGAIN_S = 24 * 60 * 60;

/**
 * Expires alerts with a `dedupKey`, `ALERT_RETENTION_DAYS` after their last event. Items that an alert still needs stay at the start of the
 * table, so Redis keeps how far the last turn came.
 */
export const expireSeries: UpkeepTask = {
  name: 'expire-series',
  removes: 'alerts',
  async *run({ database, redis, settings: { redisPrefix } }, turn) {
    const key = `${redisPrefix}:expired-items`;
    const before = turn.expiry('alerts');
    const text = await redis.get(key);
    let after: SeriesPosition | null = text === null ? null : JSON.parse(text);
    for (;;) {
      const { end, series } = await expireSeriesPage(database, before, after, ITEMS);
      if (!end) return;
      const { receivedAt, id } = end;
      const isNew = after === null;
      after = { receivedAt, id };
      if (isNew) await redis.set(key, JSON.stringify(after), 'EX', START_AGAIN_S);
      // A place that has just expired stays away: without a time limit, upkeep would never start again.
      else await redis.set(key, JSON.stringify(after), 'KEEPTTL', 'XX');
      yield series;
    }
  },
};

/** After this time, a turn leaves the other series to the next one, so that other upkeep does not wait. */
const TURN_MS = 5_000;

/** Folds series again that a remap changed before it failed. While a remap of their integration is open, they are left to it. */
export const refoldLeftSeries: UpkeepTask = {
  name: 'refold-left-series',
  async *run({ database, closing, log }) {
    const params = await paramsOfOpenJobs(database, alertRemap.name);
    const remapped = new Set(
      params.map((job) => alertRemapParams.safeParse(job).data?.webhookId.toLowerCase()),
    );
    const end = performance.now() + TURN_MS;
    const { folded, rejected } = await refoldMarked(database, {
      isDue: (webhookId) => !remapped.has(webhookId),
      isOver: () => performance.now() >= end,
      run: async (query) => {
        if (closing.aborted) throw new WorkerClosing('closing');
        return query();
      },
    });
    if (rejected.size > 0) log.warn({ series: rejected.size }, 'the database rejected alerts of series');
    yield folded;
  },
};

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
