import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Event, Page } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';

const REFRESH_MS = 2_000;
const TIMEOUT_S = 10;

/** Returns the newest event of an integration, and watches for the next. Null if there is none or the key cannot read events. */
export function useNewestEvent(webhookId: string): Event | null {
  const { data } = useNewest(webhookId);
  return data ?? null;
}

/** Undefined until it is loaded. */
export const useNewest = (webhookId: string) =>
  useQuery({
    queryKey: ['newest event', webhookId],
    queryFn: ({ signal }) =>
      requestJson<Page<Event>>('/v2/events', {
        query: { webhookId, pageSize: 1 },
        signal,
        timeoutS: TIMEOUT_S,
      }),
    select: ({ data }) => data[0] ?? null,
    refetchInterval: REFRESH_MS,
    enabled: useMay('alerts:read'),
  });
