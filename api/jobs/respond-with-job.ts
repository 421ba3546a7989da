import type Koa from 'koa';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { presentJob } from '../../workers/callbacks/present-job.js';
import { closedSignal } from '../http/closed-signal.js';
import { jobCanceled, jobFailed } from '../http/errors.js';
import { preferredWait } from '../http/prefer.js';
import type { ApiServices } from '../services.js';

interface JobResponses {
  defaultWaitMs: number;
  /** Responds for a completed job. */
  completed: (job: Job) => void | Promise<void>;
  /** Responds for a job that is still running. By default with 202 and its path. */
  accepted?: (jobId: string) => void | Promise<void>;
}

/**
 * Waits for a job as long as the request prefers, then responds.
 * @throws RequestError if the job failed or was canceled
 */
export async function respondAfterJob(
  ctx: Koa.Context,
  { waiter }: ApiServices,
  jobId: string,
  { defaultWaitMs, completed, accepted = (id) => respondAccepted(ctx, id) }: JobResponses,
): Promise<void> {
  ctx.state.jobId = jobId;
  const job = await waiter.wait(jobId, preferredWait(ctx, defaultWaitMs), closedSignal(ctx));
  if (!job) return accepted(jobId);
  if (job.state === 'failed' && job.error) throw jobFailed(job.error, jobId);
  if (job.state === 'canceled') throw jobCanceled(jobId);
  await completed(job);
}

/** Responds with the job itself: 200 and `message` if it has completed, 202 if it is still running. */
export const respondWithJob = (
  ctx: Koa.Context,
  services: ApiServices,
  jobId: string,
  message: string,
  defaultWaitMs = 0,
): Promise<void> =>
  respondAfterJob(ctx, services, jobId, {
    defaultWaitMs,
    completed: (job) => {
      ctx.body = { status: 'success', message, jobId, data: presentJob(job) };
    },
    accepted: async () => {
      respondAccepted(ctx, jobId);
      // The job is accepted even if it cannot be read now.
      const job = await findJob(services.database, jobId).catch(() => null);
      if (job) ctx.body = { ...Object(ctx.body), data: presentJob(job) };
    },
  });

const ACCEPTED = 'Accepted. The job reports its progress and result.';

/** Responds with 202 and the path of the job. */
function respondAccepted(ctx: Koa.Context, jobId: string): void {
  ctx.status = 202;
  ctx.set({ Location: `/v2/jobs/${jobId}`, 'Retry-After': '1' });
  ctx.body = { status: 'success', message: ACCEPTED, jobId };
}
