import { errorSchema, meaningOf } from '../endpoint/error-responses.js';
import type { HeaderDocs } from '../endpoint/response-headers.js';
import type { ResponseDoc, Route } from '../endpoint/route.js';

/** Returns all responses of a route by status: those of its handler, and those of the checks before it. */
export function responsesOf(route: Route): Record<number, ResponseDoc> {
  const implied = impliedStatuses(route).map((status) => [status, errorDoc(status)]);
  const own = Object.entries(route.responses).map(([status, doc]) => [
    status,
    { ...doc, headers: { ...impliedHeaders(route, Number(status)), ...doc.headers } },
  ]);
  const headersOfUnchanged = { ...impliedHeaders(route, 304), ...route.responses[200]?.headers };
  const unchanged = route.etag ? [[304, { ...NOT_MODIFIED, headers: headersOfUnchanged }]] : [];
  return Object.fromEntries([...implied, ...own, ...unchanged]);
}

/** Returns whether all routes share this response for its status, so that the document contains it once. */
export const isShared = (status: number, { description, body }: ResponseDoc): boolean =>
  body === errorSchema && description === meaningOf(status);

/** Returns the error response that all routes share for a status. */
export const errorDoc = (status: number): ResponseDoc => ({
  description: meaningOf(status),
  body: errorSchema,
  headers: { ...EVERYWHERE, ...ERROR_HEADERS[status] },
});

/**
 * Returns the statuses of the checks before the handler (`mount.ts`): query, content coding, time limit, API key, path
 * parameters, body and `Idempotency-Key`.
 */
function impliedStatuses({ scopes, params, requestBody, idempotent }: Route): number[] {
  return [
    ...[400, 408, 415, 500, 503],
    ...(scopes === 'public' ? [] : [401, 403]),
    ...(Object.keys(params.shape).length > 0 ? [404] : []),
    ...(requestBody ? [413] : []),
    ...(idempotent ? [409, 422] : []),
  ];
}

const EVERYWHERE: HeaderDocs = { 'X-Request-Id': 'always', 'Cache-Control': 'sometimes' };

const NOT_MODIFIED = { description: 'Not modified: `If-None-Match` contains the `ETag` of this version' };

/** An error can be the outcome of a job that the request waited for, or a recorded response. */
const OF_A_JOB: HeaderDocs = { 'Preference-Applied': 'sometimes', 'Idempotency-Replayed': 'sometimes' };

/** Those of an integration that is over its limit. */
const OF_A_RATE: HeaderDocs = { RateLimit: 'sometimes', 'RateLimit-Policy': 'sometimes' };

const ERROR_HEADERS: Record<number, HeaderDocs> = {
  400: OF_A_JOB,
  401: { 'WWW-Authenticate': 'always' },
  403: OF_A_JOB,
  404: { 'Retry-After': 'sometimes' },
  409: { 'Retry-After': 'sometimes', ...OF_A_JOB },
  410: OF_A_JOB,
  412: { ETag: 'always' },
  415: { Accept: 'sometimes', 'Accept-Encoding': 'sometimes' },
  416: { 'Content-Range': 'always', 'Accept-Ranges': 'always' },
  422: OF_A_JOB,
  429: { 'Retry-After': 'always', ...OF_A_RATE },
  500: OF_A_JOB,
  503: { 'Retry-After': 'always', ...OF_A_JOB, ...OF_A_RATE },
};

function impliedHeaders({ scopes, etag, idempotent, headers = [] }: Route, status: number): HeaderDocs {
  return {
    ...EVERYWHERE,
    ...(scopes === 'public' ? {} : { 'Cache-Control': 'always' as const }),
    ...(etag && (status === 200 || status === 304) ? { ETag: 'always' } : {}),
    ...(idempotent ? { 'Idempotency-Replayed': 'sometimes' } : {}),
    ...(headers.includes('Prefer') ? { 'Preference-Applied': 'sometimes' } : {}),
  };
}
