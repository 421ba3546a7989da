import { expect, test } from '@jest/globals';
import { sortAfterClick, sortOf, sortParameters } from '../../../api/console/alerts/list/alert-sort.js';

test('a click on a head sorts by it, the highest first, and a second click turns the order around', () => {
  const newest = sortOf('', '');
  expect(newest).toEqual({ sortKey: 'startedAt', sortOrder: 'desc' });
  const severe = sortAfterClick(newest, 'severity');
  expect(severe).toEqual({ sortKey: 'severity', sortOrder: 'desc' });
  expect(sortAfterClick(severe, 'severity')).toEqual({ sortKey: 'severity', sortOrder: 'asc' });
  expect(sortAfterClick(sortAfterClick(severe, 'severity'), 'severity')).toEqual(severe);
});

test('an address has only what differs from the default, and an unknown order is the default', () => {
  expect(sortParameters(sortOf('duration', 'asc'))).toEqual({ sortKey: 'duration', sortOrder: 'asc' });
  expect(sortParameters(sortOf('startedAt', 'desc'))).toEqual({ sortKey: '', sortOrder: '' });
  expect(sortOf('toString', 'x')).toEqual(sortOf('', ''));
});
