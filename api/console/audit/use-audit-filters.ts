import { RANGE_FILTERS, usePeriod } from '../parts/filters/time-range.ts';
import { useUrlFilters } from '../parts/filters/url-filters.ts';

const FILTERS = [
  'actorKind',
  'actorId',
  'action',
  'objectKind',
  'objectId',
  'requestId',
  ...RANGE_FILTERS,
] as const;

/** Keeps the filters of the audit log in the address. `query` is what the API takes. */
export function useAuditFilters() {
  const { filters, ...rest } = useUrlFilters(FILTERS);
  const { last: _, ...others } = filters;
  return { filters, query: { ...others, ...usePeriod(filters) }, ...rest };
}

export type AuditFilters = ReturnType<typeof useAuditFilters>;
export type AuditQuery = AuditFilters['query'];
