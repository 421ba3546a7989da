import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { Destination, One, Page } from '../http/types.ts';
import { type Entry, useChange } from '../http/use-change.ts';
import { useMay } from '../http/use-current-key.ts';

export const DESTINATIONS = '/v2/destinations';

export const destinationEntry = (id: string): Entry => ({
  path: `${DESTINATIONS}/${encodeURIComponent(id)}`,
  queryKey: ['destination', id],
  list: DESTINATIONS,
});

const REFRESH_MS = 5_000;

/** Loads one destination and reloads it every 5 s. */
export function useDestination(id: string) {
  const { path, queryKey } = destinationEntry(id);
  return useQuery({
    queryKey,
    queryFn: ({ signal }) => requestJson<One<Destination>>(path, { signal }),
    select: ({ data }) => data,
    refetchInterval: REFRESH_MS,
  });
}

/** Changes a destination and updates every page that shows it with the response. */
export const useChangeDestination = (id: string) => useChange<Destination>(destinationEntry(id));

/** The API's largest page. */
const MAX_NAMES = 1_000;

/** Returns the destinations by id, for pages that know only their ids; undefined while they are not loaded. */
export function useDestinations(): ReadonlyMap<string, Destination> | undefined {
  const { data } = useQuery({
    queryKey: [DESTINATIONS, 'all'],
    queryFn: ({ signal }) =>
      requestJson<Page<Destination>>(DESTINATIONS, { query: { pageSize: MAX_NAMES }, signal }),
    select: (page) => new Map(page.data.map((destination) => [destination.id, destination])),
    staleTime: 30_000,
    enabled: useMay('destinations:read', 'destinations:write'),
  });
  return data;
}

/** Returns whether nothing is sent until somebody resumes it. */
export const isHeld = ({ state }: Destination): boolean => state === 'paused' || state === 'stopped';
