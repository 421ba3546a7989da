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

/** Returns the result of some work, and its CPU time in ms: other programs do not count, but they share the caches. */
function timed<T>(work: () => T): { result: T; ms: number } {
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  return { result, ms: (user + system) / 1_000 };
}

/**
 * Runs work that must not hold the event loop: it may take about 100 ms of CPU time, unless given otherwise. Work that exceeds the limit runs again,
 * because one run may include a garbage collection or the compilation of the code. If a reference is slow at the same moment, so is
 * the machine.
 */
export function expectQuick<T>(work: () => T, maxMs = MAX_CPU_MS): T {
  for (let run = 1; ; run++) {
    const { result, ms } = timed(work);
    if (ms < maxMs) return result;
    const limit = maxMs * Math.max(1, timed(reference).ms / REFERENCE_MS);
    if (ms >= limit && run < MAX_RUNS) continue;
    expect(ms).toBeLessThan(limit);
    return result;
  }
}
