/** How a sender writes the time of a signature. */
export const TIMESTAMP_UNITS = ['seconds', 'milliseconds', 'iso8601'] as const;
export type TimestampUnit = (typeof TIMESTAMP_UNITS)[number];

/** A signature's time may differ this much from our clock by default, so that a recorded request cannot be replayed later. */
export const TOLERANCE_S = 300;

const DIGITS = /^\d{1,16}$/;
const ISO_8601 = /^\d{4}-\d\d-\d\dT[\d:.]{5,16}(Z|[+-]\d\d:?\d\d)$/;

/** Returns whether a timestamp is at most `toleranceS` seconds before or after `now`. An invalid timestamp is not recent. */
export function isRecent(text: string, unit: TimestampUnit, toleranceS: number, now = Date.now()): boolean {
  return Math.abs(now - toMs(text, unit)) <= toleranceS * 1_000;
}

function toMs(text: string, unit: TimestampUnit): number {
  if (unit === 'iso8601') return ISO_8601.test(text) ? Date.parse(text) : Number.NaN;
  if (!DIGITS.test(text)) return Number.NaN;
  return unit === 'seconds' ? Number(text) * 1_000 : Number(text);
}
