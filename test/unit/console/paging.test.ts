import { expect, test } from '@jest/globals';
import {
  changeState,
  filtersOf,
  fixedRange,
  listName,
  orderAfterClick,
  pageQuery,
  readState,
} from '../../../api/console/identities/list-state.ts';
import {
  lastNumberedPage,
  nextPlace,
  pageCount,
  previousPlace,
} from '../../../api/console/identities/paging.ts';

const NONE = new Map<number, string>();

test.each([
  [1, 50, null, null],
  [1, 50, 'c', { page: 2, cursor: null }],
  [1_999, 50, 'c', { page: 2_000, cursor: null }],
  [2_000, 50, 'c', { page: 2_001, cursor: 'c' }],
  [2_001, 50, 'd', { page: 2_002, cursor: 'd' }],
])('after page %d of %d rows with cursor %s', (page, pageSize, cursor, place) => {
  expect(nextPlace(page, pageSize, cursor)).toEqual(place);
});

test('going back uses a page number, a cursor seen before, or the last page number', () => {
  const seen = new Map([[2_001, 'c']]);
  expect(previousPlace(1, 50, seen)).toBeNull();
  expect(previousPlace(2_001, 50, seen)).toEqual({ page: 2_000, cursor: null });
  expect(previousPlace(2_002, 50, seen)).toEqual({ page: 2_001, cursor: 'c' });
  expect(previousPlace(2_003, 50, NONE)).toEqual({ page: 2_000, cursor: null });
});

test('the number of pages is rounded up and at least one', () => {
  expect([0, 1, 50, 51].map((total) => pageCount(total, 50))).toEqual([1, 1, 1, 2]);
  expect(lastNumberedPage(200)).toBe(500);
});

test('invalid parameters in the address are ignored', () => {
  const state = readState(
    new URLSearchParams(
      'page=-3&pageSize=7&sortKey=name&sortOrder=up&searchKey=x&integrationIds=1&integrationIds=0&integrationIds=1e3&emails=a@b.example&emails=nobody&last=1h',
    ),
  );
  expect(state).toEqual({
    searchKey: 'email',
    searchValue: '',
    integrationIds: ['1'],
    emails: ['a@b.example'],
    last: ['1h'],
    from: [],
    sortKey: 'integrationId',
    sortOrder: 'asc',
    pageSize: 50,
    page: 1,
    cursor: null,
  });
  expect(readState(new URLSearchParams('page=1e9')).page).toBe(2_000);
  expect(readState(new URLSearchParams('page=2001&cursor=c')).page).toBe(2_001);
});

test('a new filter or order starts at the first page and keeps the other parameters', () => {
  const before = new URLSearchParams('page=2001&cursor=c&export=1&searchValue=a');
  expect(changeState(before, { searchValue: 'b' }).toString()).toBe('export=1&searchValue=b');
  expect(changeState(before, { searchValue: '' }).toString()).toBe('export=1');
  expect(changeState(before, { page: 1, cursor: null }).toString()).toBe('export=1&searchValue=a');
});

test('the query has a page number or a cursor, never both', () => {
  const at = (address: string) => pageQuery(readState(new URLSearchParams(address)));
  expect(at('page=3')).toEqual({ sortKey: 'integrationId', sortOrder: 'asc', pageSize: 50, pageIndex: 2 });
  expect(at('page=2001&cursor=c')).toMatchObject({ cursor: 'c' });
  expect(at('page=2001&cursor=c')).not.toHaveProperty('pageIndex');
  expect(filtersOf(readState(new URLSearchParams('searchKey=identity')))).toEqual({});
});

test('a fixed range starts where the moving one started', () => {
  const state = readState(new URLSearchParams('last=7d'));
  const fixed = { ...state, ...fixedRange(state) };
  expect(fixed.last).toEqual([]);
  expect(filtersOf(fixed)).toEqual(filtersOf(state));
  expect(fixedRange(fixed)).toEqual({ last: [], from: fixed.from });
  expect(fixedRange(readState(new URLSearchParams()))).toEqual({ last: [], from: [] });
});

test('a click reverses the order, or sorts by another column', () => {
  const state = readState(new URLSearchParams('sortKey=email'));
  expect(orderAfterClick(state, 'email')).toBe('desc');
  expect(orderAfterClick({ ...state, sortOrder: 'desc' }, 'email')).toBe('asc');
  expect(orderAfterClick(state, 'integrationId')).toBe('asc');
  expect(orderAfterClick(state, 'updatedAt')).toBe('desc');
});

test('all pages of a list have the same cache key', () => {
  const name = (address: string) => listName(readState(new URLSearchParams(address)));
  expect(name('page=3')).toBe(name('page=2001&cursor=c'));
  expect(name('page=3')).not.toBe(name('page=3&sortOrder=desc'));
});
