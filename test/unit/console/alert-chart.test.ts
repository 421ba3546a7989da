import { expect, test } from '@jest/globals';
import {
  barParts,
  bucketAt,
  bucketTicks,
  describeHistogram,
  timeOf,
  withoutTail,
} from '../../../api/console/alerts/chart/chart-bars.js';

const BOX = { width: 230, height: 120, left: 20, right: 10, top: 10, bottom: 10 };
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();
const histogram = {
  from: at(0),
  to: at(2),
  bucketSeconds: 60,
  alerts: 10,
  countedFrom: null,
  severities: [
    { severity: 'info', alerts: 4 },
    { severity: 'critical', alerts: 3 },
    { severity: null, alerts: 2 },
  ],
  buckets: [
    { from: at(0), alerts: 10, counts: [4, 3, 2] },
    { from: at(1), alerts: 0, counts: [0, 0, 0] },
  ],
};

test('a bar has the most severe alerts at the bottom, and all alerts of the bucket', () => {
  const [first, second] = barParts(histogram, 10, BOX);
  expect(first?.map(({ tone, y, height }) => [tone, y, height])).toEqual([
    ['critical', 80, 30],
    ['info', 40, 40],
    ['other', 20, 20],
    ['other', 10, 10],
  ]);
  expect(second).toEqual([]);
});

test('a place in the chart is one of its buckets, and a drag in either direction the time of all', () => {
  expect([0, 20, 119, 121, 500].map((x) => bucketAt(x, 2, BOX))).toEqual([0, 0, 0, 1, 1]);
  expect(timeOf(histogram, 0, 0)).toEqual({ from: at(0), to: at(1) });
  expect(timeOf(histogram, 1, 0)).toEqual({ from: at(0), to: at(2) });
});

test('is described in one sentence', () => {
  expect(describeHistogram(histogram)).toMatch(
    /^10 alerts from .* to .*: 4 info, 3 critical, 2 without a severity\.$/,
  );
});

test('no label of the time axis is repeated, and short buckets have seconds', () => {
  const labels = (bucketSeconds: number, count: number, most: number) => {
    const start = (bucket: number) =>
      new Date(Date.UTC(2026, 0, 1, 10) + bucket * bucketSeconds * 1_000).toISOString();
    const buckets = Array.from({ length: count }, (_, bucket) => ({
      from: start(bucket),
      alerts: 1,
      counts: [],
    }));
    const drawn = { ...histogram, from: start(0), to: start(count), bucketSeconds, buckets };
    return bucketTicks(drawn, most, BOX, 'UTC').map(({ label }) => label);
  };
  for (const [size, count] of [
    [1, 3],
    [60, 90],
    [3_600, 30],
    [10_800, 80],
    [604_800, 60],
  ] as const) {
    const shown = labels(size, count, 9);
    expect(new Set(shown).size).toBe(shown.length);
    expect(shown.length).toBeGreaterThan(1);
  }
  expect(labels(1, 3, 9).at(-1)).toMatch(/10:00:02/);
  expect(labels(60, 3, 0)).toHaveLength(1);
});

test('ends with the last alert', () => {
  expect(withoutTail(histogram)).toEqual({ ...histogram, to: at(1), buckets: histogram.buckets.slice(0, 1) });
  const last = { from: at(1), alerts: 1, counts: [1, 0, 0] };
  const whole = { ...histogram, buckets: [...histogram.buckets.slice(0, 1), last] };
  expect(withoutTail(whole)).toEqual(whole);
  const none = { ...histogram, buckets: histogram.buckets.slice(1) };
  expect(withoutTail(none)).toEqual(none);
});
