import { useEffect, useState } from 'react';
import { isReading } from '../lists/held-rows.ts';
import { type RangeFilters, toPeriod } from './time-range.ts';

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
