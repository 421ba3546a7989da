import { expect, test } from '@jest/globals';
import {
  areaPath,
  heightTicks,
  linePath,
  niceMaximum,
  timeTicks,
  xOf,
  yOf,
} from '../../../api/console/health/chart-geometry.ts';
import { awayInWords, hourInWords, inOrder } from '../../../api/console/health/words.ts';

const BOX = { width: 340, height: 120, left: 30, right: 10, top: 10, bottom: 10 };
const minute = (accepted: number, stored = 0, failed = 0) => ({ minute: 'm', accepted, stored, failed });

test.each([
  [[], 10],
  [[0, 3], 10],
  [[10], 10],
  [[11], 20],
  [[21], 50],
  [[50_001], 100_000],
])('the top of a chart of %j is %d', (counts, maximum) => {
  expect(niceMaximum(counts)).toBe(maximum);
});

test('the counts fill the box, the greatest at its top', () => {
  expect(linePath([0, 10, 5], 10, BOX)).toBe('M80.0,110.0L180.0,10.0L280.0,60.0');
  expect(linePath([], 10, BOX)).toBe('');
  expect(yOf(0, 10, BOX)).toBe(110);
  expect(xOf(59, 60, BOX)).toBeLessThan(BOX.width - BOX.right);
});

test('the ground below the counts is closed', () => {
  expect(areaPath([0, 10], 10, BOX)).toBe('M105.0,110.0L255.0,10.0L255.0,110.0L105.0,110.0Z');
  expect(areaPath([], 10, BOX)).toBe('');
});

test('the heights are whole numbers with their places', () => {
  expect(heightTicks(2_000, BOX)).toEqual([
    { at: 110, label: '0' },
    { at: 60, label: '1,000' },
    { at: 10, label: '2,000' },
  ]);
});

test('the last minute is now', () => {
  const ticks = timeTicks(60, BOX);
  expect(ticks.map(({ label }) => label)).toEqual(['−60 min', '−45', '−30', '−15', 'now']);
  expect(ticks.at(-1)?.at).toBe(xOf(59, 60, BOX));
  expect(ticks.at(0)?.at).toBe(xOf(0, 60, BOX));
});

test('the hour in one sentence', () => {
  expect(hourInWords([minute(1_000, 990, 10), minute(234, 234)])).toBe(
    'In the last hour 1,234 events were accepted, 1,224 stored and 10 failed; at most 1,000 were accepted in one minute.',
  );
  expect(hourInWords([minute(0)])).toBe('No event came in the last hour.');
});

test('what is away is named with what to do; nobody can tell of workers without Redis', () => {
  const away = (redis: boolean, database: boolean, worker: boolean) =>
    awayInWords({ redis, database, worker }).map(({ title }) => title);
  expect(away(true, true, true)).toEqual([]);
  expect(away(true, true, false)).toEqual(['No worker is there']);
  expect(away(false, false, false)).toEqual(['Redis cannot be reached', 'The database cannot be reached']);
});

test('queues stand in the order of their use, unknown ones last', () => {
  const queue = (name: string) => ({ queue: name, waiting: 0, active: 0, delayed: 0, oldestAt: null });
  const ordered = inOrder(['upkeep', 'new', 'identity-import', 'alert-intake'].map(queue));
  expect(ordered.map((one) => one.queue)).toEqual(['alert-intake', 'identity-import', 'upkeep', 'new']);
});
