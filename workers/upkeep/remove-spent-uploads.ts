import { findSpentUploads, forgetUpload } from '../../db/jobs/jobs-upkeep.js';
import type { UpkeepTask } from './task.js';

/** How long the upload of a failed job is kept for a retry. */
const RETRYABLE_MS = 7 * 24 * 60 * 60 * 1_000;
const BATCH = 100;

/** Removes uploads that no job needs any more. */
export const removeSpentUploads: UpkeepTask = {
  name: 'remove-spent-uploads',
  async *run({ database, files }, turn) {
    const failedBefore = turn.ago(RETRYABLE_MS);
    for (;;) {
      const jobs = await findSpentUploads(database, failedBefore, BATCH);
      for (const job of jobs) {
        if (await forgetUpload(database, job.id, failedBefore)) await files.remove(job.sourceKey as string);
        yield 1;
      }
      if (jobs.length < BATCH) return;
    }
  },
};
