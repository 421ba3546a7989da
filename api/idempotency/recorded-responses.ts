import type Koa from 'koa';
import type { RecordedResponse } from '../../db/access/idempotency.js';
import type { Job } from '../../db/jobs/jobs.js';
import { errorBody, jobCanceled, jobFailed, type RequestError } from '../http/errors.js';

const RECORDED_HEADERS = ['Location', 'Retry-After', 'Preference-Applied', 'Cache-Control'];

/** Returns the response that `ctx` holds. */
export const responseOf = (ctx: Koa.Context): RecordedResponse => ({
  status: ctx.status,
  headers: Object.fromEntries(
    RECORDED_HEADERS.flatMap((name) => {
      const value = ctx.response.get(name);
      return value ? [[name, value]] : [];
    }),
  ),
  body: JSON.stringify(ctx.body ?? null),
});

/** Returns the response to a request that failed with this error. */
export const errorResponse = (error: RequestError, requestId: string): RecordedResponse => ({
  status: error.status,
  headers: error.details.headers ?? {},
  body: JSON.stringify(errorBody(error, requestId)),
});

/** Returns whether a repetition gets this response. After any other response the request can be sent again. */
export const isReplayable = ({ status }: RecordedResponse): boolean =>
  status < 300 || status === 400 || status === 422;

/**
 * Returns the response to a repetition whose first response was never recorded: the error of the job if it failed or was
 * canceled, otherwise a 202 with its path.
 */
export function recordedJobResponse(job: Job, requestId: string): RecordedResponse {
  if (job.state === 'failed' && job.error) return errorResponse(jobFailed(job.error, job.id), requestId);
  if (job.state === 'canceled') return errorResponse(jobCanceled(job.id), requestId);
  const message = 'This request was accepted before. The job reports its progress and result.';
  return {
    status: 202,
    headers: { Location: `/v2/jobs/${job.id}`, 'Retry-After': '1' },
    body: JSON.stringify({ status: 'success', message, jobId: job.id }),
  };
}

/** Thrown out of a handler to replay the response that the same request got before. */
export class Replay extends Error {
  readonly response: RecordedResponse;

  constructor(response: RecordedResponse) {
    super('this request was carried out before');
    this.response = response;
  }
}

/** Sends a recorded response. */
export function replay(ctx: Koa.Context, { status, headers, body }: RecordedResponse): void {
  ctx.status = status;
  ctx.set({ ...headers, 'Idempotency-Replayed': 'true' });
  ctx.body = body === 'null' ? null : JSON.parse(body);
}
