import { expect, test } from '@jest/globals';
import { ClockWatch } from '../../../workers/clocks/clock-watch.js';
import {
  allAgree,
  describeOffset,
  rightOffset,
  wrongClocks,
} from '../../../workers/clocks/compare-clocks.js';

const S = 1_000;
const DAY = 86_400 * S;

test.each([
  ['all clocks agree', { redis: 5, database: -3 }, 0, []],
  ['the host is 500 days behind', { redis: 500 * DAY, database: 500 * DAY + 9 }, 500 * DAY, ['host']],
  ['the host is two hours ahead', { redis: -7_200 * S, database: -7_200 * S }, -7_200 * S, ['host']],
  ['Redis is wrong', { redis: 500 * DAY, database: 3 }, 3, ['redis']],
  ['the database is wrong', { redis: -4, database: -500 * DAY }, -4, ['database']],
  ['no two agree', { redis: 500 * DAY, database: -500 * DAY }, null, ['host', 'redis', 'database']],
  ['only Redis is known, and agrees', { redis: 59 * S, database: null }, 0, []],
  ['only Redis is known, and differs', { redis: -61 * S, database: null }, null, ['host', 'redis']],
  ['no other clock is known', { redis: null, database: null }, 0, []],
])('%s', (_, offsets, right, wrong) => {
  const found = rightOffset(offsets, null);
  expect(found === null ? null : found + 0).toBe(right);
  expect(wrongClocks(offsets, found)).toEqual(wrong);
});

test.each([
  ['both servers jump', { redis: 500 * DAY, database: 500 * DAY }, 0, 0],
  ['the host jumps', { redis: 500 * DAY, database: 500 * DAY }, 500 * DAY, 500 * DAY],
  ['the host jumps, and one server is unknown', { redis: -DAY, database: null }, -DAY, -DAY],
  ['the host was suspended', { redis: 5, database: 9 }, -DAY, 5],
  ['none is where it was', { redis: DAY, database: 2 * DAY }, 5 * DAY, null],
])('after the clocks agreed: %s', (_, offsets, remembered, right) => {
  expect(rightOffset(offsets, remembered)).toBe(right);
});

test('all clocks agree only if all are known, and none differs from another by more than a minute', () => {
  expect(allAgree({ redis: 30 * S, database: -29 * S })).toBe(true);
  expect(allAgree({ redis: 31 * S, database: -30 * S })).toBe(false);
  expect(allAgree({ redis: 0, database: null })).toBe(false);
});

test.each([
  [500 * DAY, '500.0 days ahead'],
  [-7_200 * S, '2.0 hours behind'],
  [-90 * S, '90.0 s behind'],
])('%i ms are %s', (ms, text) => expect(describeOffset(ms)).toBe(text));

const watchOf = (redisMs: number | null, databaseMs: number | null) => {
  const ask = (ms: number | null) => async () => {
    if (ms === null) throw new Error('no response');
    return Date.now() + ms;
  };
  return new ClockWatch({ redis: ask(redisMs), database: ask(databaseMs) });
};
const ahead = (watch: ClockWatch) => watch.now() - Date.now();

test('the time is that of the host while it is at most 2 s off, and else that of the clocks that outvote it', async () => {
  const right = watchOf(1_900, 1_900);
  expect(await right.becomeSure()).toBe(true);
  expect(ahead(right)).toBe(0);
  const wrong = watchOf(-500 * DAY, -500 * DAY);
  expect(await wrong.becomeSure()).toBe(true);
  expect(Math.abs(ahead(wrong) + 500 * DAY)).toBeLessThan(1_000);
});

test('the time is not sure before the first measurement, if no two clocks agree, and if no other clock is known', async () => {
  expect(watchOf(0, 0).isSure).toBe(false);
  for (const watch of [watchOf(DAY, 2 * DAY), watchOf(DAY, null), watchOf(null, null)]) {
    expect(await watch.becomeSure()).toBe(false);
    expect(ahead(watch)).toBe(0);
  }
  expect(await watchOf(null, 0).becomeSure()).toBe(true);
});

test('once the clock of the host is set, the time is not sure until the clocks are compared again', async () => {
  const watch = watchOf(0, 0);
  await watch.becomeSure();
  const now = Date.now;
  Date.now = () => now() + DAY;
  try {
    expect(watch.isSure).toBe(false);
  } finally {
    Date.now = now;
  }
  expect(watch.isSure).toBe(true);
});

test('a corrected time never goes back', async () => {
  let jitter = 400;
  const time = async () => Date.now() + DAY + jitter;
  const watch = new ClockWatch({ redis: time, database: time });
  let last = 0;
  for (jitter of [400, -400, 300, -300]) {
    await watch.measure();
    expect(watch.now()).toBeGreaterThanOrEqual(last);
    last = watch.now();
  }
});
