import { RANGE_FILTERS, usePeriod } from '../../parts/filters/time-range.ts';
import { useUrlFilters } from '../../parts/filters/url-filters.ts';

const FILTERS = ['type', 'state', 'uploadLink', ...RANGE_FILTERS] as const;

/**
 * Keeps the filters of the job list in the address: of the list, and of a job that was opened from it. `query` is what the API takes.
 */
export function useJobFilters() {
  const { filters, ...rest } = useUrlFilters(FILTERS);
  const { last: _, ...others } = filters;
  return { filters, query: { ...others, ...usePeriod(filters) }, ...rest };
}

export type JobFilters = ReturnType<typeof useJobFilters>;
