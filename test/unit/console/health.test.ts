import { expect, test } from '@jest/globals';
import { describeClocks } from '../../../api/console/health/clocks.ts';
import { sortQueues } from '../../../api/console/health/queue-descriptions.ts';
import { describeOutages } from '../../../api/console/health/readiness.ts';
import { describeHour } from '../../../api/console/health/throughput/minutes.ts';
import type { Health } from '../../../api/console/http/types.ts';
import {
  areaPath,
  heightTicks,
  linePath,
  niceMaximum,
  timeTicks,
  xOf,
  yOf,
} from '../../../api/console/parts/chart/chart-geometry.ts';

const BOX = { width: 340, height: 120, left: 30, right: 10, top: 10, bottom: 10 };
const minute = (accepted: number, stored = 0, failed = 0) => ({ minute: 'm', accepted, stored, failed });

test.each([
  [[], 10],
  [[0, 3], 10],
  [[10], 10],
  [[11], 20],
  [[21], 50],
  [[50_001], 100_000],
])('the maximum of a chart of %j is %d', (counts, maximum) => {
  expect(niceMaximum(counts)).toBe(maximum);
});

test('the line fills the box, with the greatest count at the top', () => {
  expect(linePath([0, 10, 5], 10, BOX)).toBe('M80.0,110.0L180.0,10.0L280.0,60.0');
  expect(linePath([], 10, BOX)).toBe('');
  expect(yOf(0, 10, BOX)).toBe(110);
  expect(xOf(59, 60, BOX)).toBeLessThan(BOX.width - BOX.right);
});

test('the area below the line is closed', () => {
  expect(areaPath([0, 10], 10, BOX)).toBe('M105.0,110.0L255.0,10.0L255.0,110.0L105.0,110.0Z');
  expect(areaPath([], 10, BOX)).toBe('');
});

test('the y axis has whole numbers at their positions', () => {
  expect(heightTicks(2_000, BOX)).toEqual([
    { at: 110, label: '0' },
    { at: 60, label: '1,000' },
    { at: 10, label: '2,000' },
  ]);
});

test('the x axis ends with now', () => {
  const ticks = timeTicks(60, BOX);
  expect(ticks.map(({ label }) => label)).toEqual(['−60 min', '−45', '−30', '−15', 'now']);
  expect(ticks.at(-1)?.at).toBe(xOf(59, 60, BOX));
  expect(ticks.at(0)?.at).toBe(xOf(0, 60, BOX));
});

test('describeHour summarizes the hour in one sentence', () => {
  expect(describeHour([minute(1_000, 990, 10), minute(234, 234)])).toBe(
    'In the last hour: 1,234 events accepted, 1,224 stored, 10 failed. Peak: 1,000 accepted in one minute.',
  );
  expect(describeHour([minute(0)])).toBe('No events in the last hour.');
});

test('describeOutages names each unavailable service; without Redis the workers are unknown', () => {
  const outages = (redis: boolean, database: boolean, worker: boolean) =>
    describeOutages({ redis, database, worker }).map(({ title }) => title);
  expect(outages(true, true, true)).toEqual([]);
  expect(outages(true, true, false)).toEqual(['No worker is running']);
  expect(
    describeOutages({ redis: true, database: true, storage: false, worker: true }).map(({ title }) => title),
  ).toEqual(['The file store is unavailable']);
  expect(outages(false, false, false)).toEqual(['Redis is unavailable', 'The database is unavailable']);
  const all = { database: true, worker: true, replicas: false };
  expect(describeOutages({ redis: true, ...all }).map(({ title }) => title)).toEqual([
    'Too few replicas of Redis',
  ]);
  expect(describeOutages({ redis: false, ...all })).toHaveLength(1);
});

test('describeClocks names each wrong clock, workers that take no jobs, and what upkeep refuses', () => {
  const health = (wrong: Health['clocks']['wrong'], more: Partial<Health> = {}) =>
    describeClocks({
      clocks: { redisAheadMs: 0, databaseAheadMs: null, wrong },
      workers: [{ id: 'w', lastSeenAt: '', held: null }],
      upkeep: null,
      ...more,
    } as unknown as Health);
  const titles = (...given: Parameters<typeof health>) => health(...given).map(({ title }) => title);
  expect(titles([])).toEqual([]);
  expect(titles(['host'])).toEqual(['The clock of the API host is wrong']);
  expect(titles(['redis'])).toEqual(['The clock of Redis is wrong']);
  expect(titles(['host', 'redis', 'database'])).toEqual(['The time is unknown']);
  expect(titles(['redis', 'database'])).toEqual([
    'The clock of Redis is wrong',
    'The clock of the database is wrong',
  ]);
  const held = { id: 'w', lastSeenAt: '', held: 'the clock of this host is 2.0 hours behind' };
  expect(health([], { workers: [held] })).toEqual([
    {
      title: '1 worker takes no jobs',
      text: expect.stringContaining('w: the clock of this host is 2.0 hours'),
    },
  ]);
  const refused = [{ subject: 'events' as const, before: '2026-11-01T00:00:00.000Z' }];
  expect(health([], { upkeep: { lastTurnAt: null, refused } })).toEqual([
    {
      title: 'Upkeep refuses to remove what has expired',
      text: expect.stringContaining('npm run upkeep -- --force'),
    },
  ]);
});

test('queues are in display order, unknown ones last', () => {
  const queue = (name: string) => ({ queue: name, waiting: 0, active: 0, delayed: 0, oldestAt: null });
  const ordered = sortQueues(['upkeep', 'new', 'identity-import', 'alert-intake'].map(queue));
  expect(ordered.map((one) => one.queue)).toEqual(['alert-intake', 'identity-import', 'upkeep', 'new']);
});
