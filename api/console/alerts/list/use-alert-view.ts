import { useFiring } from '../../health/use-health.ts';
import { usePeriod } from '../../parts/filters/time-range.ts';
import {
  type ChangeOptions,
  countSet,
  type Filters,
  onlyValue,
  useUrlFilters,
} from '../../parts/filters/url-filters.ts';
import { ALERT_FILTERS, type AlertFilters } from './alert-filters.tsx';
import type { AlertQuery } from './alert-query.ts';
import { type AlertSort, sortOf, sortParameters } from './alert-sort.ts';
import { statusFor, type View, viewOf } from './alert-views.ts';

const ADDRESS = ['status', 'sortKey', 'sortOrder', ...ALERT_FILTERS] as const;
const NO_FILTERS = Object.fromEntries(ALERT_FILTERS.map((name) => [name, []])) as unknown as AlertFilters;

/**
 * Keeps the view and the filters of the alert list in the address. The first view is "Firing now", or all alerts as long as no event has
 * had a deduplication key. `view` is null until that is known.
 */
export function useAlertView() {
  const { first, isPending } = useFirstView();
  const { filters: address, change } = useUrlFilters(ADDRESS);
  const { status: named, sortKey, sortOrder, ...filters } = address;
  const status = onlyValue(named);
  const isFiltered = countSet(filters) > 0;
  const view = viewOf(status, isFiltered, first);
  const changeTo = (
    changes: Partial<Filters<(typeof ADDRESS)[number]>>,
    next: View,
    options?: ChangeOptions,
  ) => {
    const willFilter = countSet({ ...filters, ...withoutEmpty(changes) }) > 0;
    change({ ...changes, status: [statusFor(next, willFilter, first)] }, options);
  };
  const known = isPending && status === '' && !isFiltered ? null : view;
  const { last: _, ...others } = filters;
  const query: AlertQuery = {
    ...others,
    ...usePeriod(filters),
    status: known === 'all' || known === null ? '' : known,
  };
  return {
    view: known,
    filters,
    /** The filters of the API that show the view. */
    query,
    isFiltered,
    sort: sortOf(onlyValue(sortKey), onlyValue(sortOrder)),
    sortBy: (sort: AlertSort) => {
      const parameters = sortParameters(sort);
      change({ sortKey: [parameters.sortKey], sortOrder: [parameters.sortOrder] });
    },
    change: (changes: Partial<AlertFilters>, options?: ChangeOptions) => changeTo(changes, view, options),
    clear: () => changeTo(NO_FILTERS, view),
    show: (next: View) => changeTo({}, next),
  };
}

/** Returns the changes as `change` writes them: an empty text removes a filter. */
const withoutEmpty = (changes: Partial<Filters<string>>): Filters<string> =>
  Object.fromEntries(
    Object.entries(changes).map(([name, values]) => [name, values?.filter((value) => value !== '') ?? []]),
  );

function useFirstView(): { first: View; isPending: boolean } {
  const { data, isPending } = useFiring();
  return { first: data?.hasSeries ? 'firing' : 'all', isPending };
}
