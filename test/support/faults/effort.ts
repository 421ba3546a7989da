/** `npm run test:faults -- --long` sets it to `long`. */
const FORM = process.env.TEST_FAULTS ?? 'short';
if (!['short', 'long'].includes(FORM)) throw new Error(`TEST_FAULTS must be short or long, not ${FORM}`);
/** Whether this is the long form. */
export const isLong = FORM === 'long';

/** Returns the first value in the short form of the fault tests, which `npm test` runs, and the second in the long form. */
export const shortOrLong = <T>(short: T, long: T): T => (isLong ? long : short);

/** How long the soak of the long form takes; `TEST_SOAK_MINUTES` sets it. */
export const SOAK_MINUTES = Number(process.env.TEST_SOAK_MINUTES ?? 20);
if (!(SOAK_MINUTES > 0))
  throw new Error(`TEST_SOAK_MINUTES must be a number above 0, not ${process.env.TEST_SOAK_MINUTES}`);

/** Returns how often a test provokes its fault: the given number of times, in the long form at least 20 times. */
export const times = (short: number): number => shortOrLong(short, Math.max(20, short));

/** Returns a time limit in milliseconds, which is 30 times as long in the long form. */
export const timeLimit = (ms: number): number => shortOrLong(ms, ms * 30);

/** How long a request may wait: it gets its response within 2 s (P5). The rest is for a busy machine, in the short form one with other tests. */
export const LATEST_MS = shortOrLong(10_000, 4_500);

/** Why the short form does not run a test that takes long; null in the long form. */
export const whyNotShort = isLong ? null : 'only npm run test:faults -- --long runs it';
