import { findExpiredResults, noteResultsRemoved } from '../../db/jobs/jobs-upkeep.js';
import type { UpkeepTask } from './task.js';

const BATCH = 100;

/** Removes the result files of jobs when they expire. The job's row stays, and records the removal. */
export const expireResults: UpkeepTask = {
  name: 'expire-results',
  run: async ({ database, files }) => {
    const now = new Date();
    const jobs = await findExpiredResults(database, now, BATCH);
    for (const { id, resultKey, rejectedKey } of jobs) {
      for (const key of [resultKey, rejectedKey]) if (key) await files.remove(key);
      await noteResultsRemoved(database, id, now);
    }
    return jobs.length;
  },
};
