import { deleteHistoryBefore, deleteUploadsBelow } from '../../db/identities/history/expire-history.js';
import { acceptanceAt } from '../../db/jobs/accepted-uploads.js';
import { inBatches } from './batches.js';
import { DAY_MS } from './begin-turn.js';
import type { UpkeepTask } from './task.js';

/** An upload may wait and run for so long before it creates its last account. */
const UPLOAD_DAYS = 30;

/**
 * Deletes the history of accounts that is older than `IDENTITY_HISTORY_DAYS`, and the uploads that only older entries name; all of it if
 * that is 0.
 */
export const expireHistory: UpkeepTask = {
  name: 'expire identity history',
  async *run({ database, settings: { identityHistoryDays: days } }, turn) {
    const before = turn.expiry('identity-history');
    yield* inBatches((limit) => deleteHistoryBefore(database, before, limit));
    const below = acceptanceAt(new Date(+before - (days && UPLOAD_DAYS * DAY_MS)));
    yield* inBatches((limit) => deleteUploadsBelow(database, below, limit));
  },
};
