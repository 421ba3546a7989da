import { expect } from '@jest/globals';

/** In ms of CPU. The limit is 100 ms, which the worst case nearly takes; the rest allows for noise. */
const MAX_CPU_MS = 150;
/** What `reference` takes on the machine for which that limit holds. */
const REFERENCE_MS = 19;
const MAX_RUNS = 8;

const DOCUMENT = JSON.stringify(
  Array.from({ length: 40_000 }, (_, i) => ({ [`k${i % 500}`]: i, text: `value ${i}` })),
);
const reference = () => (JSON.parse(DOCUMENT) as object[]).map((one) => Object.values(one).join()).length;

/** In how many pairs of runs work may show that it is within its limit. */
const MAX_PAIRS = 40;

/**
 * Returns how many times the CPU time a byte of a reference some work takes. Both run one right after the other, because other programs of the
 * machine slow down either; the pair in which the work seems cheapest counts, which is still far above a limit if the
 * cost grows faster than the input. Further pairs run while it seems too much.
 */
export async function costRatio(work: Measured, reference: Measured, limit: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let pair = 1; pair <= MAX_PAIRS; pair++) {
    const referenceNs = await nsPerByte(reference);
    least = Math.min(least, (await nsPerByte(work)) / referenceNs);
    // The first pair also compiles the code.
    if (pair > 1 && least < limit) break;
  }
  if (process.env.TEST_PRINT_COSTS) console.log(`${least.toFixed(1)} times the reference`);
  return least;
}

/** Work on an input of so many bytes. */
export interface Measured {
  run: () => unknown;
  bytes: number;
}

/** Short work is repeated until it has read so much. */
const LEAST_BYTES = 2 ** 18;

/** Returns the CPU time of some work in ns a byte. */
async function nsPerByte({ run, bytes }: Measured): Promise<number> {
  const times = Math.ceil(LEAST_BYTES / bytes);
  const before = process.cpuUsage();
  for (let i = 0; i < times; i++) await run();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / (bytes * times);
}

/** Returns the result of some work, and its CPU time in ms: other programs do not count, but they share the caches. */
function timed<T>(work: () => T): { result: T; ms: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
}

/** Returns how many times slower the machine is now than the one for which limits are set; at least 1. */
export const slowness = (): number => Math.max(1, timed(reference).ms / REFERENCE_MS);

/**
 * Runs work that must not hold the event loop: it may take about 100 ms of CPU time, unless given otherwise. Work that exceeds the limit runs again,
 * because one run may include a garbage collection or the compilation of the code. If a reference is slow at the same moment, so is
 * the machine.
 */
export function expectQuick<T>(work: () => T, maxMs = MAX_CPU_MS): T {
  for (let run = 1; ; run++) {
    const { result, ms } = timed(work);
    if (ms < maxMs) return result;
    const limit = maxMs * slowness();
    if (ms >= limit && run < MAX_RUNS) continue;
    expect(ms).toBeLessThan(limit);
    return result;
  }
}
