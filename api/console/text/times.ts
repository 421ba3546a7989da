const UNITS: readonly (readonly [unit: string, seconds: number])[] = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
];

/**
 * Returns a time relative to now, such as `4 s ago` or `in 2 h`. Negative seconds are in the past. Values are rounded
 * down: 3,599 s are 59 minutes.
 */
export function relativeTime(seconds: number): string {
  const distance = Math.abs(seconds);
  const [unit, size] = UNITS.find(([, length]) => distance >= length) ?? ['s', 1];
  if (distance < 1) return 'now';
  const amount = `${Math.trunc(distance / size)} ${unit}`;
  return seconds < 0 ? `${amount} ago` : `in ${amount}`;
}

/** Returns an exact time in UTC: `2026-11-22 03:50:12 UTC`. */
export const utcTime = (at: string): string =>
  `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Returns a full time in the user's format: in UTC, with the name of the zone, or in the time zone of the browser. */
export const fullTime = (at: string, zone?: 'UTC'): string =>
  `${new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: zone })}${zone ? ' UTC' : ''}`;

/** Returns the hour and the minute of a time, in UTC or in the time zone of the browser. */
export const shortTime = (at: string, zone?: 'UTC'): string =>
  new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', timeZone: zone });
