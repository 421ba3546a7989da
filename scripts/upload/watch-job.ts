import type { z } from 'zod';
import type { jobSchema } from '../../api/jobs/job-schema.js';
import type { Access } from './access.js';
import { Unavailable, UploadFailure } from './failure.js';
import { ask } from './http.js';
import { expectSuccess, pause, pauseMs } from './verdict.js';

/** A job as the API returns it. */
export type JobView = z.output<typeof jobSchema>;

export interface WatchOptions {
  /** Time limit. */
  timeoutMs?: number | undefined;
  onJob(job: JobView): void;
  /** Called with the reason before each further attempt to read the job. */
  onRetry(why: string, waitMs: number): void;
}

/** The service records progress once a second. A small job may finish sooner, so polling starts faster. */
const slowestMs = 1_000;
const firstMs = 100;

/**
 * Polls the job until it finishes. Retries without end while the connection is lost or the service is unavailable.
 * @throws UploadFailure if the time is up, or the job cannot be read
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
      if (!(error instanceof Unavailable)) throw error;
      waitMs = pauseMs(++failures, error.retryAfterMs, 5_000);
      onRetry(error.message, waitMs);
    }
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) throw new UploadFailure(`The job did not finish within ${timeoutMs / 1_000} s.`);
    await pause(Math.min(waitMs, leftMs), stop);
  }
}

async function look(access: Access, jobId: string, stop: AbortSignal): Promise<JobView> {
  const response = await ask(access, { method: 'GET', path: `v2/jobs/${jobId}` }, stop);
  expectSuccess(response, access.base);
  return response.body.data;
}
