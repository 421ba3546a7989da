import { findOpenJobs } from '../../db/jobs/jobs-upkeep.js';
import { enqueueJob } from '../queues/enqueue-job.js';
import { recordedContracts } from '../queues/index.js';
import type { UpkeepTask } from './task.js';

/** Younger jobs may be about to enter their queue. */
const GRACE_MS = 30_000;
const BATCH = 500;

/** Adds jobs to their queues again that Redis lost, or never received because the API was killed. */
export const requeueLostJobs: UpkeepTask = {
  name: 'requeue-lost-jobs',
  async *run({ database, producer }, turn) {
    let after = '';
    for (;;) {
      const jobs = await findOpenJobs(database, new Date(+turn.now - GRACE_MS), after, BATCH);
      let found = 0;
      for (const job of jobs) {
        // A newer release knows more types, and requeues them itself.
        if (!Object.hasOwn(recordedContracts, job.type)) continue;
        if (await producer.has(job)) continue;
        await enqueueJob(producer, job, job.requestId);
        found += 1;
      }
      yield found;
      if (jobs.length < BATCH) return;
      after = jobs.at(-1)?.id ?? '';
    }
  },
};
