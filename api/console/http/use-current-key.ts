import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import { requestJson } from './request.ts';
import type { ApiKey, One, Scope } from './types.ts';

/** The key that is signed in: its name, and what it may do. */
export function useCurrentKey() {
  const { key } = useSession();
  return useQuery({
    // By the session and not by the key, which belongs in no cache's name.
    queryKey: ['current key'],
    queryFn: ({ signal }) => requestJson<One<ApiKey>>('/v2/keys/current', { signal }),
    select: ({ data }) => data,
    enabled: key !== null,
    staleTime: 60_000,
  });
}

/** Whether the signed-in key has any of the scopes; false until that is known. */
export function useMay(...scopes: Scope[]): boolean {
  const { data } = useCurrentKey();
  return scopes.some((scope) => data?.scopes.includes(scope));
}
