import type { z } from 'zod';
import type { jobSchema } from '../../api/jobs/job-schema.js';
import type { Access } from './access.js';
import { Away, UploadFailure } from './failure.js';
import { ask } from './http.js';
import { pause, pauseMs } from './pause.js';
import { expectSuccess } from './verdict.js';

/** A job as the API shows it. */
export type JobView = z.output<typeof jobSchema>;

export interface WatchOptions {
  /** Wait no longer than this. */
  timeoutMs?: number | undefined;
  onJob(job: JobView): void;
  /** Told why the job could not be asked for, before the next try. */
  onRetry(why: string, waitMs: number): void;
}

/** The service notes progress once a second; only at the start may a small job be done sooner. */
const slowestMs = 1_000;
const firstMs = 100;

/**
 * Asks for the job until it has ended. A lost connection and a service that is away are waited for, without end.
 * @throws UploadFailure when the time is up, or the job is not to be seen
 */
export async function watchJob(
  access: Access,
  jobId: string,
  { timeoutMs = Number.POSITIVE_INFINITY, onJob, onRetry }: WatchOptions,
  stop: AbortSignal,
): Promise<JobView> {
  const deadline = Date.now() + timeoutMs;
  let failures = 0;
  for (let lookMs = firstMs; ; lookMs = Math.min(slowestMs, lookMs * 2)) {
    let waitMs = lookMs;
    try {
      const job = await look(access, jobId, stop);
      failures = 0;
      onJob(job);
      if (job.finishedAt !== null) return job;
    } catch (error) {
      if (!(error instanceof Away)) throw error;
      waitMs = pauseMs(++failures, error.retryAfterMs, 5_000);
      onRetry(error.message, waitMs);
    }
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) throw new UploadFailure(`The job has not ended within ${timeoutMs / 1_000} s.`);
    await pause(Math.min(waitMs, leftMs), stop);
  }
}

async function look(access: Access, jobId: string, stop: AbortSignal): Promise<JobView> {
  const answer = await ask(access, { method: 'GET', path: `v2/jobs/${jobId}` }, stop);
  expectSuccess(answer, access.base);
  return answer.body.data;
}
