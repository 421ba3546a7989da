import { type ErrorBody, RequestFailure } from '../../../http/request-failure.ts';

/** The response of an integration's URL: the event's id, or why it did not accept the event. */
export type SendResult =
  | { eventId: string; failure: null }
  | { eventId: null; failure: RequestFailure; retryAfterS: number | null };

interface EventToSend {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Posts an event as any sender would, without an API key. It goes to the path of the URL on this page's own host, the
 * only one that the content security policy allows. No response ends the session: a 401 here is about the signature.
 */
export async function sendEvent({ url, headers, body }: EventToSend): Promise<SendResult> {
  const response = await fetch(new URL(url).pathname, { method: 'POST', headers, body }).catch(() => null);
  if (response === null) return { eventId: null, failure: new RequestFailure(0, null), retryAfterS: null };
  const json = await response.json().catch(() => null);
  if (response.ok) return { eventId: json.eventId as string, failure: null };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    eventId: null,
    failure: new RequestFailure(response.status, json as ErrorBody | null),
    retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}
