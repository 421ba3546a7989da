import { useUrlFilters } from '../../parts/filters/use-url-filters.ts';

const FILTERS = ['type', 'state'] as const;

/** Keeps the filters of the job list in the address: of the list, and of a job that was opened from it. */
export const useJobFilters = () => useUrlFilters(FILTERS);
