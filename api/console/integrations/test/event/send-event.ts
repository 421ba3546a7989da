import { type ErrorBody, RequestFailure } from '../../../http/request-failure.ts';

/** What an integration's URL answered: the event's id, or why it did not take it. */
export type Answer =
  | { eventId: string; failure: null }
  | { eventId: null; failure: RequestFailure; retryAfterS: number | null };

interface EventToSend {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/**
 * Posts an event as any sender would, without a key. It goes to this page's own host, which is what the page may talk
 * to, under the path of the URL. Nothing that is answered ends the session: a 401 here is about the signature.
 */
export async function sendEvent({ url, headers, body }: EventToSend): Promise<Answer> {
  const response = await fetch(new URL(url).pathname, { method: 'POST', headers, body }).catch(() => null);
  if (response === null) return { eventId: null, failure: new RequestFailure(0, null), retryAfterS: null };
  const answer = await response.json().catch(() => null);
  if (response.ok) return { eventId: answer.eventId as string, failure: null };
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  return {
    eventId: null,
    failure: new RequestFailure(response.status, answer as ErrorBody | null),
    retryAfterS: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}
