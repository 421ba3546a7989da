import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { requestJson } from '../../http/request.ts';
import type { Event, Page } from '../../http/types.ts';
import { announce } from '../../parts/feedback/announce.tsx';

const POLL_MS = 1_000;
/** Rejected events have no usable payload. The newest usable event is searched among this many. */
const SEARCHED_EVENTS = 10;

/** Loads the newest event of an integration whose payload can be used as a sample, and can wait for the next one. */
export function useLatestEvent(webhookId: string, enabled: boolean) {
  const [since, setSince] = useState<{ time: number; eventId: string | null } | null>(null);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['latest event', webhookId],
    queryFn: ({ signal }) =>
      requestJson<Page<Event>>('/v2/events', { query: { webhookId, pageSize: SEARCHED_EVENTS }, signal }),
    // The sample must not change while someone edits. Only waiting for the next event loads a new one.
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: since ? POLL_MS : false,
    enabled,
  });
  const event = data?.data.find(({ state }) => state !== 'rejected') ?? null;
  const newest = data?.data[0] ?? null;
  useEffect(() => {
    if (!since || event === null || event.id === since.eventId) return;
    setSince(null);
    announce('Received the next event. Showing its fields.');
  }, [since, event]);
  return {
    event,
    /** A newer event that was rejected because its body is not JSON. */
    rejected: newest?.state === 'rejected' ? newest : null,
    error,
    isPending,
    refetch,
    waitingSince: since?.time ?? null,
    wait: () => setSince({ time: Date.now(), eventId: event?.id ?? null }),
    stop: () => setSince(null),
  };
}
