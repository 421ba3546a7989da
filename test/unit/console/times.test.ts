import { expect, test } from '@jest/globals';
import { fullTime, relativeTime, utcTime } from '../../../api/console/text/times.js';

test.each([
  [0, 'now'],
  [-0.9, 'now'],
  [-1, '1 s ago'],
  [-59.9, '59 s ago'],
  [-60, '1 min ago'],
  [-3_599, '59 min ago'],
  [-86_399, '23 h ago'],
  [-172_800, '2 d ago'],
  [90, 'in 1 min'],
])('%d s from now is shown as %s', (seconds, words) => expect(relativeTime(seconds)).toBe(words));

test('a full time is shown in UTC if that is chosen, with the name of the zone', () => {
  expect(fullTime('2026-11-22T03:50:12Z', 'UTC')).toMatch(/3:50:12.* UTC$/);
});

test('an exact time is shown in UTC, to the second', () => {
  expect(utcTime('2026-11-22T03:50:12.345Z')).toBe('2026-11-22 03:50:12 UTC');
  expect(utcTime('2026-11-22T04:50:12+01:00')).toBe('2026-11-22 03:50:12 UTC');
});
