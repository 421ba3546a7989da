import { expect, test } from '@jest/globals';
import { statusFor, VIEWS, viewOf } from '../../../api/console/alerts/list/alert-views.js';

test.each([
  ['', false, 'firing', 'firing'],
  ['', false, 'all', 'all'],
  ['', true, 'firing', 'all'],
  ['resolved', false, 'firing', 'resolved'],
  ['firing', true, 'all', 'firing'],
  ['all', false, 'firing', 'all'],
  ['unknown', false, 'firing', 'all'],
] as const)(
  'the status %j, with filters: %j, with the first view %j means %j',
  (status, filters, first, view) => {
    expect(viewOf(status, filters, first)).toBe(view);
  },
);

test('the address of a view leads to the view', () => {
  for (const view of VIEWS)
    for (const first of VIEWS)
      for (const hasFilters of [true, false])
        expect(viewOf(statusFor(view, hasFilters, first), hasFilters, first)).toBe(view);
});

test('the address of the first view is the shortest', () => {
  expect(statusFor('firing', false, 'firing')).toBe('');
  expect(statusFor('all', true, 'firing')).toBe('');
  expect(statusFor('all', false, 'firing')).toBe('all');
});
