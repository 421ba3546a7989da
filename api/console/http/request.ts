import { currentKey, signOut } from '../session/session.ts';
import { takeEarly } from './early-requests.ts';
import { type ErrorBody, RequestFailure } from './request-failure.ts';

export type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Values that are null, undefined or empty are left out. */
  query?: Record<string, QueryValue>;
  /** Sent as JSON. */
  json?: unknown;
  /** JSON that is already text. It is sent verbatim, so its numbers keep all their digits. */
  jsonText?: string;
  /** Bytes that are sent as `text/csv`, unless `headers` name another type. */
  csv?: ArrayBuffer;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** When to give up, in seconds. By default a request may take as long as the connection lasts. */
  timeoutS?: number;
  /** Whether the browser completes the request after the page is left. Its body may have 64 KiB. */
  keepalive?: boolean;
  /** Statuses other than 2xx that count as success. */
  okStatuses?: readonly number[];
}

/**
 * Sends a request with the session's key.
 * @throws {RequestFailure} without a response, or if its status is neither 2xx nor one of `okStatuses`
 */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const { csv, json } = options;
  const body = csv ?? options.jsonText ?? (json === undefined ? null : JSON.stringify(json));
  const headers = { ...authorization(), ...contentType(body), ...options.headers };
  const response = await fetch(address(path, options.query), {
    method: options.method ?? 'GET',
    headers,
    body,
    signal: signalOf(options),
    keepalive: options.keepalive ?? false,
  }).catch((cause: unknown) => {
    throw toUnreachable(cause, options);
  });
  if (!response.ok && !options.okStatuses?.includes(response.status))
    throw await toFailure(response, headers);
  return response;
}

function signalOf({ signal, timeoutS }: RequestOptions): AbortSignal | null {
  if (timeoutS === undefined) return signal ?? null;
  return AbortSignal.any([...(signal ? [signal] : []), AbortSignal.timeout(timeoutS * 1_000)]);
}

/** Returns what a request fails with that got no complete response: the cause if it was canceled. */
function toUnreachable(cause: unknown, { signal, timeoutS }: RequestOptions): unknown {
  if (signal?.aborted) return cause;
  const isLate = cause instanceof DOMException && cause.name === 'TimeoutError';
  return new RequestFailure(0, isLate ? { message: `Muster did not respond within ${timeoutS} s.` } : null);
}

/** Sends a request and returns the body of its response. `Body` is not checked; `types.ts` has the API's types. */
export async function requestJson<Body>(path: string, options: RequestOptions = {}): Promise<Body> {
  const early = isPlain(options) ? takeEarly<Body>(address(path, options.query), currentKey()) : undefined;
  if (early) return early;
  const response = await request(path, options);
  if (response.status === 204) return null as Body;
  return response.json().catch((cause: unknown) => {
    throw cause instanceof SyntaxError ? cause : toUnreachable(cause, options);
  }) as Promise<Body>;
}

/** Returns whether a request reads data without anything special, so that it can be sent early. */
const isPlain = ({ method, headers, okStatuses }: RequestOptions): boolean =>
  method === undefined && headers === undefined && okStatuses === undefined;

/** Returns a path with a query string. */
export function address(path: string, query: Record<string, QueryValue> = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== '') parameters.append(name, String(one));
    }
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}

/** Returns the `Authorization` header, or no header if nobody is signed in. */
export function authorization(): { authorization?: string } {
  const key = currentKey();
  return key === null ? {} : { authorization: `ApiKey ${key}` };
}

function contentType(body: string | ArrayBuffer | null): Record<string, string> {
  if (body === null) return {};
  return { 'content-type': typeof body === 'string' ? 'application/json' : 'text/csv' };
}

/**
 * Returns the failure that a response describes. A 401 for the session's key ends the session. A 401 for an earlier key,
 * or for one that is only being tried, does not.
 */
export async function toFailure(
  response: Response,
  sent: { authorization?: string },
): Promise<RequestFailure> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  const failure = new RequestFailure(response.status, body);
  const own = authorization().authorization;
  if (response.status === 401 && own !== undefined && sent.authorization === own) signOut(failure.message);
  return failure;
}
