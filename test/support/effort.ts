/**
 * How many times longer the tests with random cases run: `TEST_EFFORT=20 npx jest series`. Each run draws other
 * cases, so the short runs of every day add up.
 */
const EFFORT = Number(process.env.TEST_EFFORT ?? 1);
if (!(EFFORT > 0)) throw new Error(`TEST_EFFORT must be a number above 0, not ${process.env.TEST_EFFORT}`);

/** Returns how many cases to run instead of a default. At least 1. */
export const cases = (count: number): number => Math.max(1, Math.round(count * EFFORT));

/** Returns a time limit in milliseconds that allows for that many cases. */
export const enoughTime = (ms: number): number => ms * Math.max(1, EFFORT);
