import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { requestJson } from '../http/request.ts';
import type { One, Receipt } from '../http/types.ts';

const ASK_EVERY_MS = 700;

export const eventQuery = (id: string) => ({
  queryKey: ['event', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    requestJson<One<Receipt>>(`/v2/events/${encodeURIComponent(id)}`, { signal }),
});

/** Asks for an event's receipt until it is there; `waitedS` counts the seconds. Null asks for nothing. */
export function useReceipt(eventId: string | null) {
  const { data, error } = useQuery({
    ...eventQuery(eventId ?? ''),
    enabled: eventId !== null,
    retry: false,
    refetchInterval: ({ state }) => (state.data ? false : ASK_EVERY_MS),
  });
  const receipt = data?.data ?? null;
  const waitedS = useSeconds(eventId !== null && receipt === null);
  return { receipt, waitedS, error: receipt ? null : error };
}

/** Seconds since it runs. */
function useSeconds(runs: boolean): number {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    if (!runs) return;
    const from = Date.now();
    const timer = setInterval(() => setSeconds(Math.floor((Date.now() - from) / 1_000)), 1_000);
    return () => clearInterval(timer);
  }, [runs]);
  return seconds;
}
