import { deleteRecordsBefore } from '../../db/access/idempotency.js';
import { deleteOldJobs, deleteTombstones, lowestOpenAcceptance } from '../../db/jobs/jobs-upkeep.js';
import type { UpkeepTask } from './task.js';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const JOBS_KEPT_MS = 90 * DAY_MS;
const IDEMPOTENCY_KEPT_MS = DAY_MS;
/** An upload has its acceptance number a moment before its row; a tombstone of that moment must outlive it. */
const TOMBSTONE_LEAST_MS = HOUR_MS;
const BATCH = 1_000;
const MAX_BATCHES = 50;

/** Deletes batch after batch, a turn of housekeeping at the most. Answers how many rows. */
async function inBatches(remove: (limit: number) => Promise<number>): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const count = await remove(BATCH);
    total += count;
    if (count < BATCH) break;
  }
  return total;
}

const before = (ms: number): Date => new Date(Date.now() - ms);

export const deleteOldJobRows: UpkeepTask = {
  name: 'delete-old-jobs',
  run: ({ database }) => inBatches((limit) => deleteOldJobs(database, before(JOBS_KEPT_MS), limit)),
};

export const deleteOldIdempotencyRecords: UpkeepTask = {
  name: 'delete-old-idempotency-records',
  run: ({ database }) =>
    inBatches((limit) => deleteRecordsBefore(database, before(IDEMPOTENCY_KEPT_MS), limit)),
};

/** A tombstone is there for uploads accepted before it; when none of those can write any more it may go. */
export const deleteSpentTombstones: UpkeepTask = {
  name: 'delete-spent-tombstones',
  run: async ({ database }) => {
    const belowAcceptance = await lowestOpenAcceptance(database);
    const spent = { belowAcceptance, before: before(TOMBSTONE_LEAST_MS) };
    return inBatches((limit) => deleteTombstones(database, spent, limit));
  },
};
