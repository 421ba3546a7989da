import { useUrlFilters } from '../../parts/filters/use-url-filters.ts';

const FILTERS_OF_ONE = ['state', 'from', 'to'] as const;
const FILTERS_OF_ALL = [...FILTERS_OF_ONE, 'webhookId'] as const;

/** Keeps the filters of an event list in the address: of all integrations, or of one, whose id is in the path. */
export const useEventFilters = (webhookId?: string) =>
  useUrlFilters<string>(webhookId ? FILTERS_OF_ONE : FILTERS_OF_ALL);
