import { expect, test } from '@jest/globals';
import { bucketStarts, MAX_BUCKETS, toBuckets } from '../../../api/routes/alerts/counts/histogram.js';

const at = (text: string) => new Date(`2026-01-${text}Z`);
const HOUR = { from: at('31T11:20:30'), to: at('31T12:20:30') };

test.each([
  [HOUR, 60],
  [{ from: at('30T12:00:00'), to: at('31T12:00:00') }, 900],
  [{ from: at('24T12:00:00'), to: at('31T12:00:00') }, 7_200],
  [{ from: new Date('1990-01-01T00:00:00Z'), to: at('31T12:00:00') }, 12_000_000],
])('chooses a size that gives at most 100 buckets, and covers the range', ({ from, to }, most) => {
  const buckets = toBuckets({ from, to });
  if (typeof buckets === 'string') throw new Error(buckets);
  const starts = bucketStarts(buckets);
  expect(buckets.bucketSeconds).toBeLessThanOrEqual(most);
  expect(starts.length).toBeLessThanOrEqual(101);
  expect(starts.length).toBeGreaterThan(25);
  const end = (starts.at(-1)?.getTime() ?? 0) + buckets.bucketSeconds * 1_000;
  expect([starts[0] && starts[0] <= from, end >= to.getTime()]).toEqual([true, true]);
  expect(buckets.start.getTime() % (buckets.bucketSeconds * 1_000)).toBe(0);
});

test('takes a size, and names the smallest possible one if it gives too many buckets', () => {
  expect(toBuckets(HOUR, 1_800)).toMatchObject({ start: at('31T11:00:00'), count: 3 });
  const rejected = toBuckets(HOUR, 10);
  expect(rejected).toMatch(/^gives 360 buckets for this time range: must be at least 19$/);
  expect(toBuckets(HOUR, 19)).toMatchObject({ bucketSeconds: 19 });
  expect((toBuckets(HOUR, 19) as { count: number }).count).toBeLessThanOrEqual(MAX_BUCKETS);
});
