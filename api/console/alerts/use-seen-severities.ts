import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { Alert, Page } from '../http/types.ts';
import { useMay } from '../http/use-current-key.ts';

/** The newest alerts whose severities are looked at. */
const LOOKED_AT = 100;
const REFRESH_MS = 30_000;

/** Loads the severities of the newest alerts, of one integration or of all. */
export function useSeenSeverities(webhookId?: string): (string | null)[] {
  const { data } = useQuery({
    queryKey: ['/v2/alerts', 'severities', webhookId],
    queryFn: ({ signal }) =>
      requestJson<Page<Alert>>('/v2/alerts', { query: { webhookId, pageSize: LOOKED_AT }, signal }),
    select: (page) => page.data.map(({ severity }) => severity),
    staleTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
    enabled: useMay('alerts:read'),
  });
  return data ?? [];
}
