import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { comparableOf, MAX_COMPARABLE } from '../../../../workers/mapping/series/comparable.js';

/** Returns a value as it is compared. @throws TypeError if it does not compare */
const of = (value: string): string => {
  const comparable = comparableOf(value);
  if (comparable === null) throw new TypeError(value);
  return comparable;
};

const ASCENDING = [
  ['-1e3', '-999.5', '-12', '-1.25', '-1.2', '-0.001', '0', '0.0005', '0.5', '2', '10', '311', '312'],
  ['9223372036854775806', '9223372036854775807', '9223372036854775808', '12345678901234567890'],
  ['2026-03-01T07:59:59.999999999Z', '2026-03-01T08:00:00Z', '2026-03-01T08:00:00.000000001Z'],
  ['1969-12-31T23:59:59Z', '2026-03-01T08:00:00+01:00', '2026-03-01T08:00:00+00:30', '2026-03-01t08:00:00z'],
];

test.each(ASCENDING)('%s … are in their order', (...values) => {
  const texts = values.map(of);
  expect(texts.toSorted()).toEqual(texts);
  expect(new Set(texts).size).toBe(texts.length);
});

test.each([
  ['312', '312.0', '3.12e2', '+312', '0312'],
  ['0', '-0', '0.000', '0e5'],
  ['1700000000.25', '1.70000000025e9'],
  ['2026-03-01T08:00:00Z', '2026-03-01 09:00:00+01:00', '2026-02-28T22:30:00.000-09:30'],
])('%s is the same in other notations', (first, ...others) => {
  for (const other of others) expect(of(other)).toBe(of(first));
});

test.each([
  '',
  'v1.2.3',
  '1.2.3',
  'abc',
  '0x10',
  'NaN',
  'Infinity',
  '1e99',
  '2026-03-01',
  '2026-03-01T08:00:00',
  '2026-02-30T08:00:00Z',
  '2026-03-01T24:00:00Z',
  '0001-01-01T00:00:00Z',
  '9'.repeat(31),
  '0000-01-01T00:00:00+01:00',
])('%s does not compare', (value) => {
  expect(comparableOf(value)).toBeNull();
});

test('decimal numbers compare as BigInt does, and fit the column', () => {
  const number = fc.record({
    units: fc.bigInt({ min: 1n - 10n ** 30n, max: 10n ** 30n - 1n }),
    scale: fc.nat({ max: 20 }),
  });
  const write = ({ units, scale }: { units: bigint; scale: number }) => `${units}e-${scale}`;
  fc.assert(
    fc.property(number, number, (one, other) => {
      const [left, right] = [one.units * 10n ** BigInt(other.scale), other.units * 10n ** BigInt(one.scale)];
      const [a, b] = [of(write(one)), of(write(other))];
      expect(Math.sign(a < b ? -1 : a > b ? 1 : 0)).toBe(left < right ? -1 : left > right ? 1 : 0);
      expect(a.length).toBeLessThanOrEqual(MAX_COMPARABLE);
    }),
  );
});
