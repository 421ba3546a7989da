import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { heardFor, type Period } from '../../../db/upkeep/listening.js';

/** Counts milliseconds one by one. */
function byCounting(periods: readonly Period[], since: number, ms: number): number | null {
  let heard = 0;
  for (let time = since; time < 60; time++) {
    if (periods.some(({ from, to }) => from <= time && time < to)) heard += 1;
    if (heard === ms) return time + 1;
  }
  return null;
}

const periods: fc.Arbitrary<Period[]> = fc
  .uniqueArray(fc.nat(50), { maxLength: 8 })
  .map((times) => times.sort((one, other) => one - other))
  .map((times) =>
    times.flatMap((to, index) => (index % 2 ? [{ from: times[index - 1] as number, to }] : [])),
  );

test('only time in which the intake listened counts', () => {
  fc.assert(
    fc.property(periods, fc.nat(55), fc.integer({ min: 1, max: 30 }), (list, since, ms) => {
      expect(heardFor(list, since, ms)).toBe(byCounting(list, since, ms));
    }),
  );
});
