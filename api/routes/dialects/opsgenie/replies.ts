import type { RequestError } from '../../../http/errors.js';
import type { Exchange, Reply } from '../dialect.js';

/** Returns the members that every body has. Clients take 0 seconds for a missing value. */
const common = ({ requestId, took }: Exchange) => ({ took: Math.max(0.001, round(took())), requestId });

const round = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/** Returns the reply to a request that was queued as an event. The id of the event is the request's. */
export const queued = (eventId: string, exchange: Exchange, result = 'Request will be processed'): Reply => ({
  status: 202,
  body: { result, ...common({ ...exchange, requestId: eventId }) },
  headers: { 'X-Request-Id': eventId },
});

/** Returns the reply to a request that reads. */
export const found = (data: unknown, exchange: Exchange, more: object = {}): Reply => ({
  status: 200,
  body: { data, ...more, ...common(exchange) },
});

/** Headers of every response. Clients warn if one is missing. */
export const headersOf = ({ took }: Exchange) => ({
  'X-Response-Time': took().toFixed(3),
  'X-RateLimit-State': 'OK',
});

/** A limit counts events of a minute. */
const THROTTLED = {
  'X-RateLimit-State': 'THROTTLED',
  'X-RateLimit-Reason': 'INTEGRATION',
  'X-RateLimit-Period-In-Sec': '60',
};

const KEY_FAULTS: ReadonlySet<string> = new Set(['missing_key', 'unknown_key']);

/** Returns the reply to a request that is rejected. */
export function rejectionOf(error: RequestError, exchange: Exchange): Reply {
  const { code, status, message, details } = error;
  const { 'WWW-Authenticate': _, ...headers } = details.headers ?? {};
  const reply = (sent: number, text: string, more: object = {}): Reply => ({
    status: sent,
    body: { message: text, ...more, ...common(exchange) },
    headers,
  });
  if (KEY_FAULTS.has(code)) return reply(401, 'Could not authenticate');
  if (code === 'over_limit') {
    const throttled = reply(429, `You are making too many requests. ${message}`);
    return { ...throttled, headers: { ...headers, ...THROTTLED } };
  }
  if (status === 422) {
    const errors = Object.fromEntries((details.errors ?? []).map((one) => [one.field ?? '', one.message]));
    return reply(422, 'Request body is not processable. Please check the errors.', { errors });
  }
  return reply(status, message);
}
