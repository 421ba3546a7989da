import { expect, test } from '@jest/globals';
import {
  barParts,
  bucketAt,
  describeHistogram,
  timeOf,
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
