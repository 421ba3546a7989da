import { z } from 'zod';
import { defineContract, FIVE_ATTEMPTS, jobPayload } from './contract.js';

/** A run of a feed. What it does is in `feed_runs`, whose row has the id of the job. */
export const feedRunParams = z.object({
  version: z.literal(1),
  feedId: z.uuid(),
  /** Also in the row of the run; here for the lists of jobs. */
  dryRun: z.boolean().optional(),
});

export const feedRun = defineContract({
  name: 'feed-run',
  queues: ['feed-run'],
  payload: jobPayload,
  params: feedRunParams,
  options: FIVE_ATTEMPTS,
  // They mostly wait: for the source, and for the jobs that they have started.
  concurrency: 4,
});
