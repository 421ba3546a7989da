import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { One, TableUser } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';
import { tableEntry } from './use-table.ts';

/** Loads the integrations whose mapping reads a table. `mayRead` is false if the key must not see mappings: then nothing is loaded. */
export function useTableUsers(name: string) {
  const mayRead = useMay('webhooks:read', 'webhooks:write');
  const path = `${tableEntry(name).path}/webhooks`;
  const users = useQuery({
    queryKey: [path],
    queryFn: ({ signal }) => requestJson<One<TableUser[]>>(path, { signal }),
    select: ({ data }) => data,
    enabled: mayRead,
  });
  return { ...users, mayRead };
}
