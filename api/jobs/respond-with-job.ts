import type Koa from 'koa';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { jobCanceled, jobFailed } from '../http/errors.js';
import { preferredWait } from '../http/prefer.js';
import type { Services } from '../services.js';
import { presentJob } from './present-job.js';

interface Answer {
  defaultWaitMs: number;
  /** Responds for a job that ended well. */
  completed: (job: Job) => void | Promise<void>;
  /** Responds for a job that goes on, with 202 and its address. */
  accepted?: (jobId: string) => void | Promise<void>;
}

const ACCEPTED = 'Accepted. The job reports its progress and result.';

/** Waits for a job as long as the request prefers, then responds with its result, its failure, or 202 and its address. */
export async function answerWithJob(
  ctx: Koa.Context,
  { waiter }: Services,
  jobId: string,
  { defaultWaitMs, completed, accepted = (id) => respondAccepted(ctx, id) }: Answer,
): Promise<void> {
  ctx.state.jobId = jobId;
  const job = await waiter.wait(jobId, preferredWait(ctx, defaultWaitMs), whenGone(ctx));
  if (!job) return accepted(jobId);
  if (job.state === 'failed' && job.error) throw jobFailed(job.error, jobId);
  if (job.state === 'canceled') throw jobCanceled(jobId);
  await completed(job);
}

/** Responds with the job itself, in one shape whether it has ended (200, `message`) or goes on (202). */
export const respondWithJob = (
  ctx: Koa.Context,
  services: Services,
  jobId: string,
  message: string,
): Promise<void> =>
  answerWithJob(ctx, services, jobId, {
    defaultWaitMs: 0,
    completed: (job) => {
      ctx.body = { status: 'success', message, jobId, data: presentJob(job) };
    },
    accepted: async () => {
      respondAccepted(ctx, jobId);
      // The job is accepted whether or not it can be read now.
      const job = await findJob(services.database, jobId).catch(() => null);
      if (job) ctx.body = { ...(ctx.body as object), data: presentJob(job) };
    },
  });

/** Responds with 202 and where the job is to be found. */
export function respondAccepted(ctx: Koa.Context, jobId: string): void {
  ctx.status = 202;
  ctx.set({ Location: `/v2/jobs/${jobId}`, 'Retry-After': '1' });
  ctx.body = { status: 'success', message: ACCEPTED, jobId };
}

/** Nobody reads the answer of a request whose connection is gone, so nobody need wait for it either. */
function whenGone(ctx: Koa.Context): AbortSignal {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  return gone.signal;
}
