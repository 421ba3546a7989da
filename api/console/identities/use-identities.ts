import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { Identity, Page } from '../http/types.ts';
import { IDENTITIES_PATH } from './identities-path.ts';
import { filtersOf, type ListState, pageQuery } from './list-state.ts';

const TOTAL_STALE_AFTER_MS = 30_000;

/** Loads one page of the list. The previous page stays visible until it arrives. */
export function useIdentities(state: ListState) {
  const query = pageQuery(state);
  return useQuery({
    queryKey: [IDENTITIES_PATH, 'page', query],
    queryFn: ({ signal }) => requestJson<Page<Identity>>(IDENTITIES_PATH, { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** Loads the number of matching identities. A separate request, because counting many rows takes longer than reading one page. */
export function useTotal(state: ListState) {
  const query = { ...filtersOf(state), pageSize: 1, includeTotal: true };
  return useQuery({
    queryKey: [IDENTITIES_PATH, 'total', query],
    queryFn: ({ signal }) => requestJson<Page<Identity>>(IDENTITIES_PATH, { query, signal }),
    select: ({ page }) => page.total ?? 0,
    staleTime: TOTAL_STALE_AFTER_MS,
  });
}

/** Reloads all identities on the page. */
export const refreshIdentities = (cache: QueryClient): Promise<void> =>
  cache.invalidateQueries({ queryKey: [IDENTITIES_PATH] });
