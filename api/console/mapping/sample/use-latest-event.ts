import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { Event, Page } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';

const POLL_MS = 1_000;
/** Rejected events have no payload to draw on; the newest that has is looked for among so many. */
const LOOKED_AT = 10;

/** The newest event of an integration that can be drawn on, and waiting for the next. */
export function useLatestEvent(webhookId: string, enabled: boolean) {
  const [since, setSince] = useState<{ time: number; eventId: string | null } | null>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['latest event', webhookId],
    queryFn: ({ signal }) =>
      requestJson<Page<Event>>('/v2/events', { query: { webhookId, pageSize: LOOKED_AT }, signal }),
    // What is drawn on must not change under the hand: only who waits is given the next.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: since ? POLL_MS : false,
    enabled,
  });
  const event = data?.data.find(({ state }) => state !== 'rejected') ?? null;
  const newest = data?.data[0] ?? null;
  useEffect(() => {
    if (!since || event === null || event.id === since.eventId) return;
    setSince(null);
    announce('The next event has come; its fields are shown');
  }, [since, event]);
  return {
    event,
    /** An event came after it whose body was no JSON. */
    rejected: newest?.state === 'rejected' ? newest : null,
    error,
    isPending,
    refetch,
    waitingSince: since?.time ?? null,
    wait: () => setSince({ time: Date.now(), eventId: event?.id ?? null }),
    stop: () => setSince(null),
  };
}
