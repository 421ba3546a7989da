import type { Database } from '../../db/client/connect.js';
import { findJobs, type Job } from '../../db/jobs/jobs.js';
import { PollWaiter } from '../limits/poll-waiter.js';

const TIMES = { firstMs: 15, everyMs: 60 };

/** Waits for jobs to end. A job goes on if its wait ends before, and its path reports the outcome later. */
export class JobWaiter extends PollWaiter<string, Job> {
  constructor(database: Database) {
    super(TIMES, async (ids) => {
      const jobs = await findJobs(database, ids);
      return new Map(jobs.filter(({ finishedAt }) => finishedAt).map((job) => [job.id, job]));
    });
  }
}
