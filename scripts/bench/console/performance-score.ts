/** What the load of a page took. Times are in milliseconds since the navigation began. */
export interface PageLoad {
  firstPaintMs: number;
  largestPaintMs: number;
  /** When the content changed for the last time. The Speed Index, a mean of when parts of the page were complete, is never later. */
  lastChangeMs: number;
  /** By how much tasks exceeded 50 ms, in all. */
  blockingMs: number;
  longestTaskMs: number;
  /** Cumulative layout shift, without unit. */
  layoutShift: number;
}

interface Curve {
  weight: number;
  /** The value with a score of 0.9. */
  good: number;
  /** The value with a score of 0.5. */
  median: number;
}

/**
 * The curves and weights of a desktop computer that Lighthouse 12 and 13 publish at
 * https://googlechrome.github.io/lighthouse/scorecalc and https://developer.chrome.com/docs/lighthouse/performance/performance-scoring.
 */
const CURVES: Partial<Record<keyof PageLoad, Curve>> = {
  firstPaintMs: { weight: 0.1, good: 934, median: 1_600 },
  lastChangeMs: { weight: 0.1, good: 1_311, median: 2_300 },
  largestPaintMs: { weight: 0.25, good: 1_200, median: 2_400 },
  blockingMs: { weight: 0.3, good: 150, median: 350 },
  layoutShift: { weight: 0.25, good: 0.1, median: 0.25 },
};

/** The standard normal distribution is at most 0.1 up to here, negated. */
const NORMAL_OF_TENTH = 1.2815515655446004;

/**
 * Returns the performance score of Lighthouse for these values, from 0 to 1. For a measured load it is an estimate: `lastChangeMs`
 * stands for the Speed Index, which would need a video of each load, and Lighthouse adds what a connection takes to open and to reach its
 * full speed.
 */
export function performanceScore(load: PageLoad): number {
  const parts = Object.entries(CURVES) as [keyof PageLoad, Curve][];
  return parts.reduce((sum, [name, curve]) => sum + curve.weight * scoreOf(load[name], curve), 0);
}

/** Returns the share of a log-normal distribution that is above the value. */
function scoreOf(value: number, { good, median }: Curve): number {
  if (value <= 0) return 1;
  const deviation = Math.log(median / good) / NORMAL_OF_TENTH;
  return 1 - normalBelow(Math.log(value / median) / deviation);
}

/** Returns the standard normal distribution at `x`, with an error below 1e-7 (Abramowitz and Stegun, 26.2.17). */
function normalBelow(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const coefficients = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153];
  const sum = coefficients.reduce((total, coefficient) => (total + coefficient) * t, 0);
  const above = (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum;
  return x < 0 ? above : 1 - above;
}
