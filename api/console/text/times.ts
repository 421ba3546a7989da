const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' });

/** Seconds from now in words: negative ones are in the past. No unit is rounded up to the next: 3,599 s are 59 minutes. */
export function distance(seconds: number): string {
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return Math.abs(seconds) < 1 ? 'now' : format.format(Math.trunc(seconds / size), unit);
}

/** A time in full, in the zone and the manner of the reader. */
export const fullTime = (at: string): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
