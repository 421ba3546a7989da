import { currentKey, signOut } from '../session/session.ts';
import { type ErrorBody, RequestFailure } from './request-failure.ts';

export type QueryValue = string | number | boolean | readonly (string | number)[] | null | undefined;

export interface Sent {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** What is null, undefined or empty is left out. */
  query?: Record<string, QueryValue>;
  /** Sent as JSON. */
  json?: unknown;
  /** JSON that is text already, sent as it stands: numbers in it keep all their digits. */
  jsonText?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Statuses beside 2xx that are an answer too. */
  alsoAnswers?: readonly number[];
}

/** Sends a request with the session's key. Throws a RequestFailure for every answer that is no success. */
export async function request(path: string, sent: Sent = {}): Promise<Response> {
  const body = sent.jsonText ?? (sent.json === undefined ? null : JSON.stringify(sent.json));
  const headers = { ...authorization(), ...contentType(body), ...sent.headers };
  const response = await fetch(address(path, sent.query), {
    method: sent.method ?? 'GET',
    headers,
    body,
    signal: sent.signal ?? null,
  }).catch((cause: unknown) => {
    if (sent.signal?.aborted) throw cause;
    throw new RequestFailure(0, null);
  });
  if (!response.ok && !sent.alsoAnswers?.includes(response.status)) throw await toFailure(response, headers);
  return response;
}

/** The body of a successful answer. `Body` is the contract's word, see `types.ts`. */
export async function requestJson<Body>(path: string, sent: Sent = {}): Promise<Body> {
  const response = await request(path, sent);
  return (response.status === 204 ? null : await response.json()) as Body;
}

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

/** The header that says who asks; empty when nobody is signed in. */
export function authorization(): { authorization?: string } {
  const key = currentKey();
  return key === null ? {} : { authorization: `ApiKey ${key}` };
}

const contentType = (body: string | null): Record<string, string> =>
  body === null ? {} : { 'content-type': 'application/json' };

/**
 * What an answer that is no success says. One that says that the session's key is not valid ends the session; one to a
 * key that was signed in before, or is only tried, does not.
 */
export async function toFailure(
  response: Response,
  asked: { authorization?: string },
): Promise<RequestFailure> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  const failure = new RequestFailure(response.status, body);
  const own = authorization().authorization;
  if (response.status === 401 && own !== undefined && asked.authorization === own) signOut(failure.message);
  return failure;
}
