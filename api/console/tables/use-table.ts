import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { LookupTable, One } from '../http/types.ts';
import type { Entry } from '../http/use-change.ts';

export const TABLES = '/v2/tables';

export const tableEntry = (name: string): Entry => ({
  path: `${TABLES}/${encodeURIComponent(name)}`,
  queryKey: ['table', name],
  list: TABLES,
});

/** Loads one lookup table. */
export function useTable(name: string) {
  const { path, queryKey } = tableEntry(name);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => requestJson<One<LookupTable>>(path, { signal }),
    select: ({ data }) => data,
  });
}

/** Returns the address of the page of a table, or of one of its sections. */
export const tableAddress = (name: string, section?: 'misses' | 'integrations'): string =>
  `/tables/${encodeURIComponent(name)}${section === undefined ? '' : `#${section}`}`;
