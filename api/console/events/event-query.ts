import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { requestJson } from '../http/request.ts';
import type { One, Receipt } from '../http/types.ts';

const POLL_INTERVAL_MS = 700;

/** Returns the query for one event with its receipt. */
export const eventQuery = (id: string) => ({
  queryKey: ['event', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    requestJson<One<Receipt>>(`/v2/events/${encodeURIComponent(id)}`, { signal }),
});

/** Polls an event's receipt until it is stored. `waitedS` is the waiting time in seconds. A null id sends no request. */
export function useReceipt(eventId: string | null) {
  const { data, error } = useQuery({
    ...eventQuery(eventId ?? ''),
    enabled: eventId !== null,
    retry: false,
    refetchInterval: ({ state }) => (state.data ? false : POLL_INTERVAL_MS),
  });
  const receipt = data?.data ?? null;
  const waitedS = useSeconds(eventId !== null && receipt === null);
  return { receipt, waitedS, error: receipt ? null : error };
}

/** Returns the number of seconds since `isRunning` became true. */
function useSeconds(isRunning: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!isRunning) return;
    const from = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - from) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return seconds;
}
