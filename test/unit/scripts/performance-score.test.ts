import { expect, test } from '@jest/globals';
import { type PageLoad, performanceScore } from '../../../scripts/bench/console/performance-score.js';

const INSTANT: PageLoad = {
  firstPaintMs: 0,
  largestPaintMs: 0,
  lastChangeMs: 0,
  blockingMs: 0,
  longestTaskMs: 0,
  layoutShift: 0,
};

test.each([
  ['an instant load', {}, 1],
  [
    'good values',
    { firstPaintMs: 934, largestPaintMs: 1_200, lastChangeMs: 1_311, blockingMs: 150, layoutShift: 0.1 },
    0.9,
  ],
  [
    'medians',
    { firstPaintMs: 1_600, largestPaintMs: 2_400, lastChangeMs: 2_300, blockingMs: 350, layoutShift: 0.25 },
    0.5,
  ],
  ['a median of the heaviest weight alone', { blockingMs: 350 }, 0.85],
  [
    'a load that never ends',
    { firstPaintMs: 1e9, largestPaintMs: 1e9, lastChangeMs: 1e9, blockingMs: 1e9, layoutShift: 1e9 },
    0,
  ],
])('the score of %s is as Lighthouse publishes it', (_, load, score) => {
  expect(performanceScore({ ...INSTANT, ...load })).toBeCloseTo(score, 4);
});
