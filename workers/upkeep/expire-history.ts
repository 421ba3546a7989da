import { deleteHistoryBefore } from '../../db/identities/identity-history.js';
import { inBatches } from './batches.js';
import { daysAgo } from './expire-events.js';
import type { UpkeepTask } from './task.js';

/** Deletes the history of accounts that is older than `IDENTITY_HISTORY_DAYS`; all of it if that is 0. */
export const expireHistory: UpkeepTask = {
  name: 'expire identity history',
  run: ({ database, settings }) => {
    const before = daysAgo(settings.identityHistoryDays);
    return inBatches((limit) => deleteHistoryBefore(database, before, limit));
  },
};
