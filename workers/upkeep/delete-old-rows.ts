import { deleteRecordsBefore } from '../../db/access/idempotency.js';
import { deleteAppliedPlans } from '../../db/identities/history/applied-plans.js';
import { deleteHistoryBefore, deleteUploadsBelow } from '../../db/identities/history/record-history.js';
import { acceptanceAt } from '../../db/jobs/accepted-uploads.js';
import { deleteOldJobs, deleteTombstones, lowestOpenAcceptance } from '../../db/jobs/jobs-upkeep.js';
import { deleteMissesBefore } from '../../db/lookups/misses.js';
import { DAY_MS } from '../../db/upkeep/horizons.js';
import { deleteSendersBefore } from '../../db/webhooks/senders.js';
import type { UpkeepTask } from './task.js';

const HOUR_MS = 60 * 60 * 1_000;
const JOBS_KEPT_MS = 90 * DAY_MS;
const SENDERS_KEPT_MS = 90 * DAY_MS;
const MISSES_KEPT_MS = 90 * DAY_MS;
const IDEMPOTENCY_KEPT_MS = DAY_MS;
/** An upload gets its acceptance number slightly before its row, and may need tombstones of that moment. */
const MIN_TOMBSTONE_AGE_MS = HOUR_MS;

export const deleteOldJobRows: UpkeepTask = {
  name: 'delete-old-jobs',
  removes: 'jobs',
  async *run({ database }, turn) {
    const before = turn.ago(JOBS_KEPT_MS);
    yield* inBatches((limit) => deleteOldJobs(database, before, limit));
  },
};

export const deleteOldIdempotencyRecords: UpkeepTask = {
  name: 'delete-old-idempotency-records',
  async *run({ database }, turn) {
    const before = turn.ago(IDEMPOTENCY_KEPT_MS);
    yield* inBatches((limit) => deleteRecordsBefore(database, before, limit));
  },
};

/** Deletes what was counted of senders that have not sent for long. */
export const deleteOldSenders: UpkeepTask = {
  name: 'delete-old-senders',
  async *run({ database }, turn) {
    const before = turn.ago(SENDERS_KEPT_MS);
    yield* inBatches((limit) => deleteSendersBefore(database, before, limit));
  },
};

/** Deletes keys that were looked up in vain and are not any more. */
export const deleteOldMisses: UpkeepTask = {
  name: 'delete-old-misses',
  async *run({ database }, turn) {
    const before = turn.ago(MISSES_KEPT_MS);
    yield* inBatches((limit) => deleteMissesBefore(database, before, limit));
  },
};

/** Deletes tombstones once no upload that was accepted before them can write any more. */
export const deleteSpentTombstones: UpkeepTask = {
  name: 'delete-spent-tombstones',
  async *run({ database }, turn) {
    const belowAcceptance = await lowestOpenAcceptance(database);
    const spent = { belowAcceptance, before: turn.ago(MIN_TOMBSTONE_AGE_MS) };
    yield* inBatches((limit) => deleteTombstones(database, spent, limit));
  },
};

/** An upload may wait and run for so long before it creates its last account. */
const UPLOAD_DAYS = 30;

/**
 * Deletes the history of accounts that is older than `IDENTITY_HISTORY_DAYS`, and the uploads and applied plans that only older entries name; all of it if
 * that is 0.
 */
export const expireHistory: UpkeepTask = {
  name: 'expire-identity-history',
  removes: 'identity_history',
  async *run({ database, settings: { identityHistoryDays: days } }, turn) {
    const before = turn.expiry('identity-history');
    yield* inBatches((limit) => deleteHistoryBefore(database, before, limit));
    const longBefore = new Date(+before - (days && UPLOAD_DAYS * DAY_MS));
    const below = acceptanceAt(longBefore);
    yield* inBatches((limit) => deleteUploadsBelow(database, below, limit));
    yield* inBatches((limit) => deleteAppliedPlans(database, longBefore, limit));
  },
};

/**
 * Deletes in batches until one is not full, and yields the number of each.
 * @param remove deletes at most `limit` rows and returns how many
 */
export async function* inBatches(
  remove: (limit: number) => Promise<number>,
  limit = 1_000,
): AsyncGenerator<number, void> {
  let count = limit;
  while (count >= limit) {
    count = await remove(limit);
    yield count;
  }
}
