/** When an alert expires unless another event comes: at a time, or so long after its event. In milliseconds, since 1970 or then. */
export type Expiry = { at: number } | { afterMs: number };

/** The longest time until an expiry: Muster knows for twice as long when it listened. */
const MOST_MS = 30 * 24 * 60 * 60 * 1_000;

const UNITS_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d{1,30})?(?:[Zz]|[-+]\d\d:\d\d)$/;
const NUMBER = /^\d{1,16}(?:\.\d{1,30})?$/;
const DURATION = /^(?:\d{1,10}(?:\.\d{1,10})?(?:ms|s|m|h|d))+$/;
/** Smaller numbers are seconds after the event, larger ones seconds since 1970, the largest milliseconds. */
const [SECONDS_SINCE_1970, MS_SINCE_1970] = [1e9, 1e12];
/** What programs in Go send in place of no time. */
const ZERO_TIME = '0001-01-01T00:00:00';

/**
 * Returns what a text says about when an alert expires: an RFC 3339 time, seconds or milliseconds since 1970, seconds after the event, or a
 * duration such as `5m` or `1h30m`. Null if it says nothing, undefined if it is none of these.
 */
export function expiryOfText(text: string): Expiry | null | undefined {
  const value = text.trim();
  if (value === '' || value.startsWith(ZERO_TIME)) return null;
  if (TIME.test(value)) {
    const at = Date.parse(value.replace(' ', 'T'));
    return Number.isNaN(at) ? undefined : { at };
  }
  if (NUMBER.test(value)) {
    const number = Number(value);
    if (number === 0) return null;
    if (number >= MS_SINCE_1970) return { at: Math.round(number) };
    return number >= SECONDS_SINCE_1970
      ? { at: Math.round(number * 1_000) }
      : { afterMs: Math.round(number * 1_000) };
  }
  if (!DURATION.test(value)) return undefined;
  let afterMs = 0;
  for (const [, count, unit = ''] of value.matchAll(/(\d{1,10}(?:\.\d{1,10})?)(ms|s|m|h|d)/g))
    afterMs += Number(count) * (UNITS_MS[unit] ?? 0);
  return afterMs === 0 ? null : { afterMs: Math.round(afterMs) };
}

/** Returns the time of an expiry for an event, at most 30 days after it. Null if it is not after the event: then the event says nothing about it. */
export function expiryTime(expiry: Expiry | null, receivedAt: number): number | null {
  if (expiry === null) return null;
  const at = 'at' in expiry ? expiry.at : receivedAt + expiry.afterMs;
  return at <= receivedAt ? null : Math.min(at, receivedAt + MOST_MS);
}
