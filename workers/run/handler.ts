import type { Job as QueuedJob } from 'bullmq';
import type { Job } from '../../db/jobs/jobs.js';
import type { AttemptOutcome } from './job-outcome.js';
import type { WorkerServices } from './services.js';

/** Makes one attempt at a job from a queue. `token` is the lock that this worker holds on the job. */
export type QueueHandler = (
  queued: QueuedJob,
  token: string | undefined,
  services: WorkerServices,
) => Promise<AttemptOutcome>;

/** Does the work of one job that has a row in `jobs`. It is called again for a job that was interrupted. */
export type JobHandler = (job: Job, services: WorkerServices) => Promise<JobResult>;

/** The result of a job that completed. */
export interface JobResult {
  state: 'completed' | 'completed_with_errors';
  counts: Record<string, number>;
  warnings?: Job['warnings'];
  progress?: NonNullable<Job['progress']>;
  resultKey?: string;
  rejectedKey?: string;
  /** For how many seconds its files and changes are kept. */
  keptS?: number;
}
