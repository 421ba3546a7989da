import { useEffect, useState } from 'react';
import { isReading } from '../lists/held-rows.ts';

/** Time ranges that end now, by their name in the address. */
const RANGES = {
  '1h': { label: 'Last hour', hours: 1 },
  '24h': { label: 'Last 24 hours', hours: 24 },
  '7d': { label: 'Last 7 days', hours: 7 * 24 },
} as const;
type RangeName = keyof typeof RANGES;
export const RANGE_NAMES = Object.keys(RANGES) as RangeName[];

const HOUR_MS = 3_600_000;
/** A range starts at one of so many steps of its length, so that what is loaded stays the same in the meantime. */
const STEPS = 12;

/** The filters that a time range consists of. `last` has no effect if it is unknown. */
export const RANGE_FILTERS = ['last', 'from', 'to'] as const;
export type RangeFilters = Record<(typeof RANGE_FILTERS)[number], readonly string[]>;

export const NO_RANGE: RangeFilters = { last: [], from: [], to: [] };

export const isRangeSet = ({ last, from, to }: RangeFilters): boolean =>
  [last, from, to].some((values) => values.length > 0);

const find = (last: string | undefined) => (last ? RANGES[last as RangeName] : undefined);

/** Returns `from` and `to` as the API expects them. A range that ends now starts up to a twelfth of its length earlier. */
export function toPeriod(
  { last, from, to }: RangeFilters,
  now: number,
): Record<'from' | 'to', readonly string[]> {
  const range = find(last[0]);
  if (!range) return { from, to };
  const length = range.hours * HOUR_MS;
  const step = length / STEPS;
  return { from: [new Date(Math.floor(now / step) * step - length).toISOString()], to: [] };
}

/** Returns what a button says that shows the range, with times in UTC or in the time zone of the browser. */
export function describeRange({ last, from, to }: RangeFilters, zone?: 'UTC'): string {
  const range = find(last[0]);
  if (range) return range.label;
  const [start, end] = [from[0], to[0]].map((iso) => iso && shortTime(iso, zone));
  const suffix = zone ? ` ${zone}` : '';
  if (start && end) return `${start} to ${end}${suffix}`;
  if (start) return `Since ${start}${suffix}`;
  return end ? `Before ${end}${suffix}` : 'Any time';
}

export const rangeLabel = (name: RangeName): string => RANGES[name].label;

function shortTime(iso: string, zone?: 'UTC'): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  const format = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' } as const;
  return time.toLocaleString([], { ...format, timeZone: zone });
}

const CHECK_MS = 30_000;

/**
 * Returns the `from` and `to` of a time range. A range that ends now moves on by itself, except while the user reads further down: a list
 * of another range starts at its first page again.
 */
export function usePeriod(range: RangeFilters) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => isReading() || setNow(Date.now()), CHECK_MS);
    return () => clearInterval(timer);
  }, []);
  return toPeriod(range, now);
}
