import type { JobError, JobErrorDetail } from '../../db/jobs/jobs.js';

/** `column` goes with `line`: a place in a template. */
export type ErrorDetail = JobErrorDetail & { column?: number };

/** At most this many faults are listed in an answer; `errorCount` has their number. */
export const MAX_ERRORS_SHOWN = 100;

interface Details {
  errors?: readonly ErrorDetail[];
  errorCount?: number;
  headers?: Record<string, string>;
  jobId?: string;
}

/** A request that cannot be answered as asked: what the client is told, word for word. */
export class RequestError extends Error {
  override name = 'RequestError';
  readonly status: number;
  readonly code: string;
  readonly details: Details;

  constructor(status: number, code: string, message: string, details: Details = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

export const badRequest = (
  code: string,
  message: string,
  errors: readonly ErrorDetail[] = [],
): RequestError => new RequestError(400, code, message, { errors });

export const incompleteBody = (): RequestError =>
  badRequest('incomplete_body', 'The body broke off before its end.');

export const unauthorized = (code: string, message: string): RequestError =>
  new RequestError(401, code, message, { headers: { 'WWW-Authenticate': 'ApiKey' } });

export const forbidden = (needed: readonly string[]): RequestError =>
  new RequestError(403, 'missing_scope', `This API key lacks the scope ${needed.join(' or ')}.`);

export const notFound = (what: string): RequestError =>
  new RequestError(404, 'not_found', `There is no such ${what}.`);

export const notAcceptable = (offered: readonly string[]): RequestError =>
  new RequestError(406, 'not_acceptable', `This can be had as ${offered.join(' or ')} only.`);

export const tooSlow = (): RequestError =>
  new RequestError(408, 'request_timeout', 'The request did not arrive in time.', {
    headers: { Connection: 'close' },
  });

export const conflict = (code: string, message: string, jobId?: string): RequestError =>
  new RequestError(409, code, message, jobId ? { jobId } : {});

export const gone = (code: string, message: string, headers: Record<string, string> = {}): RequestError =>
  new RequestError(410, code, message, { headers });

export const tooLarge = (limit: number, what = 'upload'): RequestError =>
  new RequestError(413, 'too_large', `The ${what} is larger than the limit of ${limit} bytes.`, {
    headers: { Connection: 'close' },
  });

export const unsupportedMedia = (message: string): RequestError =>
  new RequestError(415, 'unsupported_media_type', message);

/** Well-formed JSON that says something impossible. */
export const unprocessable = (code: string, message: string, errors: readonly ErrorDetail[]): RequestError =>
  new RequestError(422, code, message, { errors });

/** The range begins behind the end of the file. */
export const rangeNotSatisfiable = (bytes: number): RequestError =>
  new RequestError(416, 'range_not_satisfiable', `The file has ${bytes} bytes: there is no such range.`, {
    headers: { 'Content-Range': `bytes */${bytes}` },
  });

/** The database gave up on a look-up, so that it does not hold up others. */
export const searchTooSlow = (narrow: string): RequestError =>
  new RequestError(503, 'search_too_slow', `This look-up takes the database too long. ${narrow}`, {
    headers: { 'Retry-After': '5' },
  });

/** The service has more to do than it can: the request had no effect and should be sent again later. */
export const overloaded = (why: string, seconds = 2): RequestError =>
  new RequestError(503, 'overloaded', `${why}. Nothing was done. Send the request again later.`, {
    headers: { 'Retry-After': String(seconds) },
  });

/** Something that the answer needs is away: try again soon. */
export const unavailable = (what: string, seconds = 2): RequestError =>
  new RequestError(503, 'unavailable', `${what} cannot be reached just now; try again in a moment.`, {
    headers: { 'Retry-After': String(seconds) },
  });

const STORAGE_FULL_RETRY_AFTER = { 'Retry-After': '30' };

/** What has to keep something has no space left. */
export const storageFull = (what: string): RequestError =>
  new RequestError(503, 'storage_full', `${what} is full. Nothing was stored; try again later.`, {
    headers: STORAGE_FULL_RETRY_AFTER,
  });

/** Statuses of failed jobs whose request was right. */
const STATUS_OF_FAILURE: Record<string, number> = { internal_error: 500, storage_full: 503 };

/** How a job that failed answers the request that waited for it. */
export const jobFailed = (error: JobError, jobId: string): RequestError =>
  new RequestError(STATUS_OF_FAILURE[error.code] ?? 400, error.code, error.message, {
    errors: error.errors,
    errorCount: error.errorCount,
    jobId,
    ...(error.code === 'storage_full' ? { headers: STORAGE_FULL_RETRY_AFTER } : {}),
  });

/** The one body of every 4xx and 5xx. */
export function errorBody(error: RequestError, requestId: string) {
  const errors = error.details.errors ?? [];
  return {
    status: 'error',
    message: error.message,
    code: error.code,
    requestId,
    errors: errors.slice(0, MAX_ERRORS_SHOWN),
    errorCount: error.details.errorCount ?? errors.length,
    ...(error.details.jobId ? { jobId: error.details.jobId } : {}),
  };
}
