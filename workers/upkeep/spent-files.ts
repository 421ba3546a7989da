import {
  deleteChanges,
  findExpiredResults,
  findSpentUploads,
  forgetUpload,
  noteResultsRemoved,
} from '../../db/jobs/jobs-upkeep.js';
import { JOB_KEPT_S } from '../queues/contracts/contract.js';
import type { UpkeepTask } from './task.js';

const BATCH = 100;

/** Changes are blobs of some 35 KB. */
const CHANGES = 100;

/** Removes the result files and the changes of jobs when they expire. The job's row stays, and records the removal. */
export const expireResults: UpkeepTask = {
  name: 'expire-results',
  removes: 'files',
  async *run({ database, files }, turn) {
    const now = turn.ago(0);
    for (;;) {
      const jobs = await findExpiredResults(database, now, BATCH);
      for (const job of jobs) {
        const { id, resultKey, rejectedKey } = job;
        for (const key of [resultKey, rejectedKey]) if (key) await files.remove(key);
        while (await deleteChanges(database, id, CHANGES)) yield 0;
        await noteResultsRemoved(database, id, now);
        yield 1;
      }
      if (jobs.length < BATCH) return;
    }
  },
};

/** Removes uploads that no job needs any more. */
export const removeSpentUploads: UpkeepTask = {
  name: 'remove-spent-uploads',
  removes: 'files',
  async *run({ database, files }, turn) {
    const failedBefore = turn.ago(JOB_KEPT_S * 1_000);
    for (;;) {
      const jobs = await findSpentUploads(database, failedBefore, BATCH);
      for (const job of jobs) {
        const { id, sourceKey } = job;
        if ((await forgetUpload(database, id, failedBefore)) && sourceKey) await files.remove(sourceKey);
        yield 1;
      }
      if (jobs.length < BATCH) return;
    }
  },
};
