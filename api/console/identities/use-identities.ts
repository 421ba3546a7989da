import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { Identity, Page } from '../http/types.ts';
import { filtersOf, type ListState, pageQuery } from './list-state.ts';

export const PATH = '/v2/developers/identities';
const COUNT_FRESH_MS = 30_000;

/** One page of the list; the one before stays until it is there. */
export function useIdentities(state: ListState) {
  const query = pageQuery(state);
  return useQuery({
    queryKey: [PATH, 'page', query],
    queryFn: ({ signal }) => requestJson<Page<Identity>>(PATH, { query, signal }),
    placeholderData: keepPreviousData,
  });
}

/** How many there are. Asked for apart from the page: to count many takes longer than to read some. */
export function useTotal(state: ListState) {
  const query = { ...filtersOf(state), pageSize: 1, includeTotal: true };
  return useQuery({
    queryKey: [PATH, 'total', query],
    queryFn: ({ signal }) => requestJson<Page<Identity>>(PATH, { query, signal }),
    select: ({ page }) => page.total ?? 0,
    staleTime: COUNT_FRESH_MS,
  });
}

/** Has what is shown of the identities be read anew. */
export const refreshIdentities = (cache: QueryClient): Promise<void> =>
  cache.invalidateQueries({ queryKey: [PATH] });
