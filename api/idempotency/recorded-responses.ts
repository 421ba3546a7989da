import type Koa from 'koa';
import type { RecordedAnswer } from '../../db/access/idempotency.js';
import type { Job } from '../../db/jobs/jobs.js';
import { errorBody, jobCanceled, jobFailed, type RequestError } from '../http/errors.js';

const KEPT_HEADERS = ['Location', 'Retry-After', 'Preference-Applied', 'Cache-Control'];

/** Returns the response as it stands in `ctx`. */
export const answerOf = (ctx: Koa.Context): RecordedAnswer => ({
  status: ctx.status,
  headers: Object.fromEntries(
    KEPT_HEADERS.flatMap((name) => {
      const value = ctx.response.get(name);
      return value ? [[name, value]] : [];
    }),
  ),
  body: JSON.stringify(ctx.body ?? null),
});

/** Returns the response that an error becomes. */
export const refusalOf = (error: RequestError, requestId: string): RecordedAnswer => ({
  status: error.status,
  headers: error.details.headers ?? {},
  body: JSON.stringify(errorBody(error, requestId)),
});

/** Returns whether only a response like this is replayed; after any other one the request may be repeated. */
export const isLasting = ({ status }: RecordedAnswer): boolean =>
  status < 300 || status === 400 || status === 422;

/**
 * Returns the response for a repeated request whose first response was never recorded: it is sent to its job, or told how
 * the job ended where that was an error.
 */
export function answerOfJob(job: Job, requestId: string): RecordedAnswer {
  if (job.state === 'failed' && job.error) return refusalOf(jobFailed(job.error, job.id), requestId);
  if (job.state === 'canceled') return refusalOf(jobCanceled(job.id), requestId);
  const message = 'This request was accepted before. Follow its job for the result.';
  return {
    status: 202,
    headers: { Location: `/v2/jobs/${job.id}`, 'Retry-After': '1' },
    body: JSON.stringify({ status: 'success', message, jobId: job.id }),
  };
}

/** Sends a recorded response again. */
export function replay(ctx: Koa.Context, { status, headers, body }: RecordedAnswer): void {
  ctx.status = status;
  ctx.set({ ...headers, 'Idempotency-Replayed': 'true' });
  ctx.body = body === 'null' ? null : JSON.parse(body);
}
