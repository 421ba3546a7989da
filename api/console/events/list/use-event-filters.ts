import { RANGE_FILTERS, usePeriod } from '../../parts/filters/time-range.ts';
import { useUrlFilters } from '../../parts/filters/url-filters.ts';

const FILTERS_OF_ONE = ['state', ...RANGE_FILTERS] as const;
const FILTERS_OF_ALL = [...FILTERS_OF_ONE, 'webhookId'] as const;

/**
 * Keeps the filters of an event list in the address: of all integrations, or of one. `query` is what the API takes. It is the same on the
 * page of an event that was opened from the list, so that the loaded rows lead to the events before and after.
 */
export function useEventFilters(webhookId?: string) {
  const names = webhookId ? FILTERS_OF_ONE : FILTERS_OF_ALL;
  const { filters, ...rest } = useUrlFilters<(typeof FILTERS_OF_ALL)[number]>(names);
  const { last: _, ...others } = filters;
  const query = { ...others, ...usePeriod(filters), ...(webhookId ? { webhookId: [webhookId] } : {}) };
  return { filters, query, ...rest };
}
