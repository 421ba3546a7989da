import type { Preset, Verdict } from './preset.js';

/** A response, as a preset judges it. */
export type Received = Parameters<Preset['judge']>[0];

/** A receiver that asks for more than this is asked again after it. */
const MAX_WAIT_MS = 3_600_000;

const DECIMAL = /^\d+(?:\.\d+)?$/;
/** The dates of HTTP and of mail. Other texts could be dates to `Date.parse`, in the time zone of this machine. */
const DATE = /^[A-Z][a-z]{2,8}, .*(?:GMT|UTC|[+-]\d{4})$/;

/** Returns how long a number of seconds is, in milliseconds, at most an hour. */
export const waitOf = (seconds: number): number =>
  Math.min(Math.max(Math.ceil(seconds * 1_000), 0), MAX_WAIT_MS);

/**
 * Returns how long `Retry-After` asks to wait, in milliseconds, or null if it does not say. A date is compared with the receiver's
 * own clock if there is a `Date`.
 */
function retryAfter({ 'retry-after': header = '', date = '' }: Received['headers']): number | null {
  const text = header.trim();
  if (DECIMAL.test(text)) return waitOf(Number(text));
  const at = DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : waitOf((at - (Date.parse(date) || Date.now())) / 1_000);
}

/** Returns what a response means by its status alone. A receiver that knows more than its status judges first. */
export function judgeStatus({ status, headers }: Received): Verdict {
  if (status >= 200 && status < 300) return { outcome: 'delivered' };
  if (status === 410) return { outcome: 'gone' };
  // A deploy, an overload or a proxy: the message is not at fault. Only 429 says that too many were sent.
  if (status === 408 || status === 425 || status === 429 || status >= 500)
    return { outcome: 'later', afterMs: retryAfter(headers), isCounted: status !== 429 };
  // Redirects too: they are never followed, because they could lead to an address that was not checked.
  return { outcome: 'rejected' };
}

/** Returns the value of a response that is JSON, or null. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
