import type { JobError, JobErrorDetail } from '../../db/jobs/jobs.js';

/** One entry of a response's `errors`. `column` belongs to `line`: a position in a template. */
export type ErrorDetail = JobErrorDetail & { column?: number };

/** A response lists this many errors at most; `errorCount` is the number of all. */
export const MAX_ERRORS_SHOWN = 100;

/** The revision that a 412 found, and the API key that saved it. */
export interface CurrentRevision {
  revision: number;
  savedBy: { id: string; name: string } | null;
}

interface Details {
  errors?: readonly ErrorDetail[];
  errorCount?: number;
  headers?: Record<string, string>;
  jobId?: string;
  current?: CurrentRevision;
  candidates?: JobError['candidates'];
}

/**
 * A request that ends with a 4xx or 5xx. The client gets the status, code and message as they are, so they must not
 * contain anything internal. Any other error becomes a 500 with a fixed message, see `send-errors.ts`.
 */
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

/** Returns the body of every 4xx and 5xx. */
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
    ...(error.details.current ? { current: error.details.current } : {}),
    ...(error.details.candidates ? { candidates: error.details.candidates } : {}),
  };
}

const retryAfter = (seconds: number) => ({ 'Retry-After': String(seconds) });

/*
 * The request is invalid: sending it again unchanged fails again.
 */

export const badRequest = (
  code: string,
  message: string,
  errors: readonly ErrorDetail[] = [],
): RequestError => new RequestError(400, code, message, { errors });

/** Well-formed JSON with impossible content, such as a template that does not compile. */
export const unprocessable = (code: string, message: string, errors: readonly ErrorDetail[]): RequestError =>
  new RequestError(422, code, message, { errors });

export const tooLarge = (limit: number, what = 'upload'): RequestError =>
  new RequestError(413, 'too_large', `The ${what} exceeds the limit of ${limit} bytes.`, {
    headers: { Connection: 'close' },
  });

/** @param types the media types that are accepted (RFC 9110 §15.5.16) */
export const unsupportedMedia = (message: string, types: readonly string[] = []): RequestError =>
  new RequestError(415, 'unsupported_media_type', message, {
    headers: types.length > 0 ? { Accept: types.join(', ') } : {},
  });

/** @param accepted the content codings that are accepted besides `identity` */
export const unsupportedCoding = (coding: string, accepted: readonly string[] = []): RequestError =>
  new RequestError(
    415,
    'unsupported_media_type',
    `Unsupported \`Content-Encoding\` ${JSON.stringify(coding.slice(0, 40))}. Send the body ` +
      `${accepted.length > 0 ? `with ${accepted.join(' or ')}, or ` : ''}without content coding.`,
    { headers: { 'Accept-Encoding': [...accepted, 'identity'].join(', ') } },
  );

export const notAcceptable = (offered: readonly string[]): RequestError =>
  new RequestError(406, 'not_acceptable', `This resource is only available as ${offered.join(' or ')}.`);

/** The range begins after the end of the file. */
export const rangeNotSatisfiable = (bytes: number): RequestError =>
  new RequestError(416, 'range_not_satisfiable', `Invalid \`Range\`: the file has ${bytes} bytes.`, {
    headers: { 'Content-Range': `bytes */${bytes}` },
  });

export const methodNotAllowed = (message: string, headers: Record<string, string> = {}): RequestError =>
  new RequestError(405, 'method_not_allowed', message, { headers });

/*
 * The request did not arrive completely.
 */

export const incompleteBody = (): RequestError =>
  badRequest(
    'incomplete_body',
    'The connection closed before the body was complete. Send the request again.',
  );

export const requestTimeout = (): RequestError =>
  new RequestError(408, 'request_timeout', 'The request did not arrive in time.', {
    headers: { Connection: 'close' },
  });

/*
 * The API key does not allow it.
 */

export const unauthorized = (code: string, message: string): RequestError =>
  new RequestError(401, code, message, { headers: { 'WWW-Authenticate': 'ApiKey, Bearer' } });

/** @param needed the key needs one of these scopes */
export const forbidden = (needed: readonly string[]): RequestError =>
  new RequestError(403, 'missing_scope', `This API key lacks the scope ${needed.join(' or ')}.`);

/** Another service that the request depends on cannot be reached, or failed. */
export const badGateway = (code: string, message: string): RequestError =>
  new RequestError(502, code, message);

/*
 * The state of the resource does not allow it.
 */

/** @param why for the client, if there is more to say than that it does not exist */
export const notFound = (what: string, why?: string): RequestError =>
  new RequestError(404, 'not_found', `This ${what} does not exist${why ? `: ${why}` : ''}.`);

export const conflict = (code: string, message: string, jobId?: string): RequestError =>
  new RequestError(409, code, message, jobId ? { jobId } : {});

export const gone = (code: string, message: string, headers: Record<string, string> = {}): RequestError =>
  new RequestError(410, code, message, { headers });

/*
 * The service cannot handle the request now: the same request can succeed later.
 */

/** The service is at one of its limits. */
export const overloaded = (why: string, seconds = 2): RequestError =>
  new RequestError(503, 'overloaded', `${why}. Nothing was done. Send the request again later.`, {
    headers: retryAfter(seconds),
  });

/** @param what the server or data that cannot be reached */
export const unavailable = (what: string, seconds = 2): RequestError =>
  new RequestError(503, 'unavailable', `${what} is unavailable. Try again in ${seconds} seconds.`, {
    headers: retryAfter(seconds),
  });

const STORAGE_FULL_RETRY_S = 30;

/** @param what the disk or store that has no space left */
export const storageFull = (what: string): RequestError =>
  new RequestError(503, 'storage_full', `${what} is full. Nothing was stored. Try again later.`, {
    headers: retryAfter(STORAGE_FULL_RETRY_S),
  });

/** @param narrow tells the client how to make the query faster */
export const searchTooSlow = (narrow: string): RequestError =>
  new RequestError(503, 'search_too_slow', `The search took too long and was canceled. ${narrow}`, {
    headers: retryAfter(5),
  });

/** An unexpected error. Only the log contains its details. */
export const internalError = (): RequestError =>
  new RequestError(
    500,
    'internal_error',
    'An unexpected error occurred. It was logged under the `requestId`.',
  );

/*
 * The job that the request waited for did not complete.
 */

/** The statuses of failed jobs whose request was valid. */
const STATUS_OF_FAILURE: Record<string, number> = {
  internal_error: 500,
  storage_full: 503,
  search_too_slow: 503,
  too_many_alerts: 409,
  table_changed: 409,
  plan_conflicts: 409,
  too_many_changes: 409,
  approval_required: 403,
  table_not_found: 404,
};

export const jobFailed = (error: JobError, jobId: string): RequestError =>
  new RequestError(STATUS_OF_FAILURE[error.code] ?? 400, error.code, error.message, {
    errors: error.errors,
    errorCount: error.errorCount,
    jobId,
    ...(error.candidates ? { candidates: error.candidates } : {}),
    ...(error.code === 'storage_full' ? { headers: retryAfter(STORAGE_FULL_RETRY_S) } : {}),
  });

export const jobCanceled = (jobId: string): RequestError =>
  conflict('job_canceled', 'The job was canceled. Rows that it had written remain.', jobId);
