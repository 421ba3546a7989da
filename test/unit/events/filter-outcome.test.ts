import { expect, test } from '@jest/globals';
import { alertId } from '../../../db/events/alerts/alert-id.js';
import { type FilterOutcome, itemIdsOf } from '../../../db/events/filter-outcome.js';

const ID = '01a1f8d7-e210-7f4a-ad69-99f780164000';
const dropping = (items: number[]): FilterOutcome => ({ reason: null, items, warnings: [] });
const idsOf = (alertCount: number, filter: FilterOutcome | null) => itemIdsOf({ id: ID, alertCount, filter });
const ids = (...numbers: number[]) => numbers.map((number) => alertId(ID, number));

test('the alerts of an event without a filter are numbered from 0', () => {
  expect(idsOf(3, null)).toEqual(ids(0, 1, 2));
  expect(idsOf(0, null)).toEqual([]);
});

test('an alert keeps its number when items before it are filtered', () => {
  expect(idsOf(3, dropping([0, 2]))).toEqual(ids(1, 3, 4));
  expect(idsOf(2, dropping([2, 3]))).toEqual(ids(0, 1));
  expect(idsOf(0, dropping([0, 1]))).toEqual([]);
});
