import type Koa from 'koa';
import type { Job } from '../db/jobs.js';
import { conflict, jobFailed } from './errors.js';
import { preferredWait } from './prefer.js';
import type { Services } from './services.js';

interface Answer {
  defaultWaitMs: number;
  /** Answers for a job that ended well. */
  completed: (job: Job) => void | Promise<void>;
}

/** Waits for a job as long as the request likes, then answers its result, its failure, or 202 and where to look. */
export async function answerWithJob(
  ctx: Koa.Context,
  { waiter }: Services,
  jobId: string,
  { defaultWaitMs, completed }: Answer,
): Promise<void> {
  ctx.state.jobId = jobId;
  const job = await waiter.wait(jobId, preferredWait(ctx, defaultWaitMs), whenGone(ctx));
  if (!job) return accept(ctx, jobId);
  if (job.state === 'failed' && job.error) throw jobFailed(job.error, jobId);
  if (job.state === 'canceled')
    throw conflict('job_canceled', 'The job was canceled before it was done.', jobId);
  await completed(job);
}

function accept(ctx: Koa.Context, jobId: string): void {
  ctx.status = 202;
  ctx.set({ Location: `/v2/jobs/${jobId}`, 'Retry-After': '1' });
  ctx.body = { status: 'success', message: 'Accepted. Ask for the job to see how it goes.', jobId };
}

/** Nobody reads the answer of a request whose connection is gone, so nobody need wait for it either. */
function whenGone(ctx: Koa.Context): AbortSignal {
  const gone = new AbortController();
  ctx.res.once('close', () => gone.abort());
  return gone.signal;
}
