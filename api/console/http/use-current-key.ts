import { useQuery } from '@tanstack/react-query';
import { useSession } from '../session/use-session.ts';
import { CURRENT_KEY } from './addresses.ts';
import { requestJson } from './request.ts';
import type { ApiKey, One, Scope } from './types.ts';

/** Loads the name and the scopes of the signed-in key. */
export function useCurrentKey() {
  const { key, isLink } = useSession();
  return useQuery({
    // Cached per session. The key itself must not be part of a cache key.
    queryKey: ['current key'],
    queryFn: ({ signal }) => requestJson<One<ApiKey>>(CURRENT_KEY, { signal }),
    select: ({ data }) => data,
    enabled: key !== null && !isLink,
    staleTime: 60_000,
  });
}

/** Returns whether the signed-in key has any of the scopes. Returns false while that is not known. */
export function useMay(...scopes: Scope[]): boolean {
  const { data } = useCurrentKey();
  return scopes.some((scope) => data?.scopes.includes(scope));
}
