import type { QueryValue } from '../http/request.ts';
import { toPeriod } from '../parts/filters/time-range.ts';
import { readFilters } from '../parts/filters/url-filters.ts';
import { lastNumberedPage } from './paging.ts';

const SORT_KEYS = ['email', 'integrationId', 'updatedAt'] as const;
export type SortKey = (typeof SORT_KEYS)[number];
type SortOrder = 'asc' | 'desc';
export const PAGE_SIZES = [25, 50, 100, 200];
const PAGE_SIZE = 50;

/** Filters, order and page of the identity list, as stored in the page's address. */
export interface ListState {
  searchKey: 'email' | 'identity';
  searchValue: string;
  integrationIds: readonly string[];
  /** Owners. */
  emails: readonly string[];
  /** When the account got its owner: within a range that ends now, or since a time. */
  last: readonly string[];
  from: readonly string[];
  sortKey: SortKey;
  sortOrder: SortOrder;
  pageSize: number;
  page: number;
  cursor: string | null;
}

/** Reads the state from the address. An invalid value counts as absent. */
export function readState(search: URLSearchParams): ListState {
  const cursor = search.get('cursor');
  const pageSize = PAGE_SIZES.find((size) => String(size) === search.get('pageSize')) ?? PAGE_SIZE;
  const page = Math.max(1, Math.floor(Number(search.get('page')) || 1));
  return {
    searchKey: search.get('searchKey') === 'identity' ? 'identity' : 'email',
    searchValue: (search.get('searchValue') ?? '').slice(0, 255),
    integrationIds: search.getAll('integrationIds').filter(isIntegrationId),
    emails: search.getAll('emails').filter(isEmail),
    ...readFilters(search, ['last', 'from']),
    sortKey: SORT_KEYS.find((key) => key === search.get('sortKey')) ?? 'integrationId',
    sortOrder: search.get('sortOrder') === 'desc' ? 'desc' : 'asc',
    pageSize,
    page: cursor === null ? Math.min(page, lastNumberedPage(pageSize)) : page,
    cursor,
  };
}

/** Returns the address with some values changed. Goes to the first page, unless `changes` names a page. */
export function changeState(search: URLSearchParams, changes: Partial<ListState>): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries({ page: null, cursor: null, ...changes })) {
    next.delete(name);
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== '' && !(name === 'page' && one === 1)) next.append(name, String(one));
    }
  }
  return next;
}

/** Returns the range as one that starts at the same time and does not move. */
export const fixedRange = ({ last, from }: ListState): Pick<ListState, 'last' | 'from'> => ({
  last: [],
  from: toPeriod({ last, from, to: [] }, Date.now()).from,
});

/** Returns the API's filters. */
export function filtersOf(state: ListState): Record<string, QueryValue> {
  const { searchKey, searchValue, integrationIds, emails } = state;
  const [updatedSince] = fixedRange(state).from;
  return {
    ...(searchValue ? { searchKey, searchValue } : {}),
    ...(integrationIds.length > 0 ? { integrationIds } : {}),
    ...(emails.length > 0 ? { emails } : {}),
    ...(updatedSince ? { updatedSince } : {}),
  };
}

/** A list without filters. */
export const NO_FILTERS = { searchValue: '', integrationIds: [], emails: [], last: [], from: [] } as const;

/** Returns how many of the filters are set. */
export const countFilters = (state: ListState): number =>
  Object.keys(filtersOf(state)).filter((name) => name !== 'searchKey').length;

export const isFiltered = (state: ListState): boolean => countFilters(state) > 0;

/** Returns a key that is the same for all pages of one list. A cursor is valid only within that list. */
export const listName = ({ page: _, cursor: __, ...list }: ListState): string => JSON.stringify(list);

/** Returns the API's query for one page. */
export function pageQuery(state: ListState): Record<string, QueryValue> {
  const { sortKey, sortOrder, pageSize, page, cursor } = state;
  const place = cursor === null ? { pageIndex: page - 1 } : { cursor };
  return { ...filtersOf(state), sortKey, sortOrder, pageSize, ...place };
}

/** Returns the order after a click on a column header: reversed if already sorted by it, otherwise ascending, or descending for times. */
export function orderAfterClick({ sortKey, sortOrder }: ListState, clicked: SortKey): SortOrder {
  if (sortKey === clicked) return sortOrder === 'asc' ? 'desc' : 'asc';
  return clicked === 'updatedAt' ? 'desc' : 'asc';
}

/** Returns whether the text looks like an email address. The API checks it. */
export const isEmail = (text: string): boolean => /^[^\s@,]+@[^\s@,]+$/.test(text);

/** Returns whether the API accepts the text as an account system id: a positive integer in plain digits. */
export const isIntegrationId = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text);
