import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { LookupTable, Page } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { TABLES } from '../../tables/use-table.ts';

/** The most tables that a service has. */
const MAX_TABLES = 1_000;

/** Returns the lookup tables; undefined while they are not loaded, or if the key must not read them. */
export function useTables(): readonly LookupTable[] | undefined {
  const { data } = useQuery({
    queryKey: [TABLES, 'all'],
    queryFn: ({ signal }) =>
      requestJson<Page<LookupTable>>(TABLES, { query: { pageSize: MAX_TABLES }, signal }),
    select: ({ data }) => data,
    staleTime: 30_000,
    enabled: useMay('tables:read', 'tables:write'),
  });
  return data;
}
