/** Clocks that differ by more are wrong: nothing irreversible is done on their word. In milliseconds. */
export const APART_MS = 60_000;

/** How far the clocks of Redis and of the database are ahead of this host's, in milliseconds. Null while unknown. */
export interface Offsets {
  redis: number | null;
  database: number | null;
}

const CLOCK_NAMES = ['host', 'redis', 'database'] as const;
export type ClockName = (typeof CLOCK_NAMES)[number];

/**
 * Returns how far the right time is ahead of this host's clock, in milliseconds; null if no two clocks agree.
 *
 * If the three clocks agreed earlier, the right time is what has passed since then, as long as one of them still agrees with it: a host of both
 * servers has two votes. Without that memory it is the clock in the middle, if another one agrees with it.
 * @param remembered how far the time that has passed since then is ahead of this host's clock, or null
 */
export function rightOffset({ redis, database }: Offsets, remembered: number | null): number | null {
  if (remembered !== null && !allAgree({ redis, database })) {
    const agrees = [0, redis, database].some((one) => one !== null && Math.abs(one - remembered) <= APART_MS);
    if (agrees) return remembered;
  }
  const [low = 0, middle = 0, high] = [0, redis, database]
    .filter((one) => one !== null)
    .sort((a, b) => a - b);
  const agree = Math.min(middle - low, high === undefined ? Number.POSITIVE_INFINITY : high - middle);
  if (redis === null && database === null) return 0;
  if (agree > APART_MS) return null;
  // Of two clocks that agree, none is known to be better.
  return high === undefined ? 0 : middle;
}

/**
 * Returns the clocks that are more than a minute from the right time; all that are known if it is unknown.
 * @param right how far the right time is ahead of this host's clock, or null
 */
export function wrongClocks(offsets: Offsets, right: number | null): ClockName[] {
  const all = { host: 0, ...offsets };
  return CLOCK_NAMES.filter((name) => {
    const offset = all[name];
    return offset !== null && (right === null || Math.abs(offset - right) > APART_MS);
  });
}

/** Returns whether all three clocks are known, and none is more than a minute from another. */
export function allAgree({ redis, database }: Offsets): boolean {
  if (redis === null || database === null) return false;
  return Math.max(0, redis, database) - Math.min(0, redis, database) <= APART_MS;
}

const SECONDS = { from: 0, ms: 1_000, name: 's' };
/** The largest first. */
const UNITS = [
  { from: 172_800_000, ms: 86_400_000, name: 'days' },
  { from: 7_200_000, ms: 3_600_000, name: 'hours' },
  { from: 120_000, ms: 60_000, name: 'minutes' },
];

/** Returns a difference in words, such as `1.5 hours behind`. */
export function describeOffset(ms: number): string {
  const unit = UNITS.find(({ from }) => Math.abs(ms) >= from) ?? SECONDS;
  return `${(Math.abs(ms) / unit.ms).toFixed(1)} ${unit.name} ${ms < 0 ? 'behind' : 'ahead'}`;
}
