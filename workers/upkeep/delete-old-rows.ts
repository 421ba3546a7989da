import { deleteRecordsBefore } from '../../db/access/idempotency.js';
import { deleteOldJobs, deleteTombstones, lowestOpenAcceptance } from '../../db/jobs/jobs-upkeep.js';
import { inBatches } from './batches.js';
import type { UpkeepTask } from './task.js';

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const JOBS_KEPT_MS = 90 * DAY_MS;
const IDEMPOTENCY_KEPT_MS = DAY_MS;
/** An upload gets its acceptance number slightly before its row, and may need tombstones of that moment. */
const MIN_TOMBSTONE_AGE_MS = HOUR_MS;

export const deleteOldJobRows: UpkeepTask = {
  name: 'delete-old-jobs',
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

/** Deletes tombstones once no upload that was accepted before them can write any more. */
export const deleteSpentTombstones: UpkeepTask = {
  name: 'delete-spent-tombstones',
  async *run({ database }, turn) {
    const belowAcceptance = await lowestOpenAcceptance(database);
    const spent = { belowAcceptance, before: turn.ago(MIN_TOMBSTONE_AGE_MS) };
    yield* inBatches((limit) => deleteTombstones(database, spent, limit));
  },
};
