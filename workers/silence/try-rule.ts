import type { Period } from '../../db/upkeep/listening.js';

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
/** Times without an event that a person may choose, in seconds. */
const CANDIDATES = [
  ...[5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 4, 8, 12].map((count) => count * HOUR),
  ...[1, 2, 3, 7, 14, 30].map((count) => count * DAY),
];
/** Of fewer events no limit is proposed. */
const MIN_EVENTS = 20;

/** The longest gap so far will not be the longest ever. */
const MARGIN = 1.5;

/** What rules would have raised over some time. */
export interface RuleTrial {
  /** The longest time without an event that counts, in seconds. */
  longestGapSeconds: number;
  /** How many alerts a limit would have raised, the shortest limit first. */
  candidates: { afterSeconds: number; alerts: number }[];
  /** The shortest of these limits that is half as long again as the longest gap; null if there are too few events, or none is. */
  proposedSeconds: number | null;
}

/**
 * Tries limits against the times at which events came.
 * @param times in milliseconds since 1970, in order
 * @param periods the time that counts, in order and without overlaps
 */
export function tryLimits(times: readonly number[], periods: readonly Period[]): RuleTrial {
  const counted = countedTime(periods);
  const gaps = times.slice(1).map((time, index) => counted(time) - counted(times[index] ?? time));
  const candidates = CANDIDATES.map((afterSeconds) => ({
    afterSeconds,
    alerts: gaps.filter((gap) => gap > afterSeconds * 1_000).length,
  }));
  const longestGapSeconds = Math.round(gaps.reduce((longest, gap) => Math.max(longest, gap), 0) / 1_000);
  const quiet = candidates.find(({ afterSeconds }) => afterSeconds >= MARGIN * longestGapSeconds);
  return {
    longestGapSeconds,
    candidates,
    proposedSeconds: times.length >= MIN_EVENTS ? (quiet?.afterSeconds ?? null) : null,
  };
}

/** Returns a function that returns how many milliseconds of the periods lie before a time. */
function countedTime(periods: readonly Period[]): (time: number) => number {
  let total = 0;
  const places = periods.map(({ from, to }) => {
    const before = total;
    total += to - from;
    return { from, to, before };
  });
  return (time) => {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle]?.from ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    const current = places[low - 1];
    return current ? current.before + Math.min(time, current.to) - current.from : 0;
  };
}
