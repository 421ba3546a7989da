import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { isStoreFull, isStoreUnavailable } from '../../db/files/index.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { describeError } from '../process/describe-error.js';
import type { JobHandler, JobResult } from './handler.js';
import { interruptible } from './interruptible-files.js';
import { watchForStop } from './job-stop.js';
import { pauseWithin, retryWhileDatabaseUnavailable } from './retry-while-unavailable.js';
import type { Services } from './services.js';
import { waiting } from './waiting.js';

/** The first wait. Each further one is twice as long, up to the maximum: an attempt may read megabytes before it fails. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 5_000;

/**
 * Runs a job's handler. While the database is unavailable, the file store is unavailable or full, or the disk for temporary
 * files is full, it starts the handler again every few seconds, which costs the job no attempt: the handler resumes from what
 * it has stored. A cancellation or a shutdown interrupts the handler's calls to the store.
 * @throws JobCanceled, WorkerClosing, and whatever else the handler throws
 */
export async function runHandler(handler: JobHandler, job: Job, services: Services): Promise<JobResult> {
  const { signal, end } = watchForStop(job.id, services);
  const own = { ...services, files: interruptible(services.files, signal) };
  let isWaiting = false;
  let waitMs = FIRST_WAIT_MS;
  try {
    for (let current = job; ; current = await reread(job, services)) {
      signal.throwIfAborted();
      try {
        return await handler(current, own);
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          await pauseWithin(signal, FIRST_WAIT_MS);
          continue;
        }
        if (!isStoreUnavailable(error) && !isStoreFull(error)) throw error;
        if (!isWaiting) services.log.warn({ error: describeError(error) }, 'job waits for the file store');
        if (!isWaiting) waiting.store += 1;
        isWaiting = true;
        await pauseWithin(signal, waitMs);
        waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
      }
    }
  } finally {
    end();
    if (isWaiting) waiting.store -= 1;
  }
}

/** Waits for the database, and returns the job's current row: the handler continues from what it saved before it failed. */
async function reread(job: Job, { database, closing }: Services): Promise<Job> {
  return (await retryWhileDatabaseUnavailable(closing, () => findJob(database, job.id))) ?? job;
}
