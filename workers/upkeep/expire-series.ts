import type { SeriesPosition } from '../../db/series/series.js';
import { expirePage } from '../events/series/expire-page.js';
import { pauseWithin } from '../run/retry-while-unavailable.js';
import { DAY_MS } from './expire-events.js';
import type { UpkeepTask } from './task.js';

/** Items in a page, and limit of pages in one turn. */
const ITEMS = 1_000;
const MAX_PAGES = 15;
const PAUSE_MS = 50;
/** After this time, all expired items are looked at again: those that alerts still need, and late ones. */
const START_AGAIN_S = 24 * 60 * 60;

/**
 * Expires alerts with a `dedupKey`, `ALERT_RETENTION_DAYS` after their last event. Items that an alert still needs stay at the start of the
 * table, so Redis keeps how far the last turn came.
 */
export const expireSeries: UpkeepTask = {
  name: 'expire series',
  run: async ({ database, redis, closing, settings: { alertRetentionDays, redisPrefix } }) => {
    const key = `${redisPrefix}:expired-items`;
    const before = new Date(Date.now() - alertRetentionDays * DAY_MS);
    const text = await redis.get(key);
    let after: SeriesPosition | null = text === null ? null : JSON.parse(text);
    let total = 0;
    for (let page = 0; page < MAX_PAGES && !closing.aborted; page++) {
      const { end, series } = await expirePage(database, before, after, ITEMS);
      if (!end) break;
      total += series;
      const { receivedAt, id } = end;
      const isNew = after === null;
      after = { receivedAt, id };
      if (isNew) await redis.set(key, JSON.stringify(after), 'EX', START_AGAIN_S);
      // A place that has just expired stays away: without a time limit, upkeep would never start again.
      else await redis.set(key, JSON.stringify(after), 'KEEPTTL', 'XX');
      await pauseWithin(closing, PAUSE_MS);
    }
    return total;
  },
};
