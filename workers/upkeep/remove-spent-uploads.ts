import { findSpentUploads, forgetUpload } from '../../db/jobs/jobs-upkeep.js';
import { JOB_KEPT_S } from '../queues/contracts/contract.js';
import type { UpkeepTask } from './task.js';

const BATCH = 100;

/** Removes uploads that no job needs any more. */
export const removeSpentUploads: UpkeepTask = {
  name: 'remove-spent-uploads',
  async *run({ database, files }, turn) {
    const failedBefore = turn.ago(JOB_KEPT_S * 1_000);
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
