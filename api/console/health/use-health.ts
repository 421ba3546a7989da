import { useQuery } from '@tanstack/react-query';
import { HEALTH } from '../http/addresses.ts';
import { requestJson } from '../http/request.ts';
import type { Health, One } from '../http/types.ts';
import type { Readiness } from './readiness.ts';

export const REFRESH_MS = 3_000;
/** Later, what is shown would be out of date. */
const TIMEOUT_S = 8;
const FIRING_REFRESH_MS = 15_000;

const QUERY = {
  queryKey: ['health'],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    requestJson<One<Health>>(HEALTH, { signal, timeoutS: TIMEOUT_S }),
  retry: false,
};

/** Loads the health data every 3 seconds. If a request fails, the last data stays. */
export const useHealth = () =>
  useQuery({ ...QUERY, select: ({ data }) => data, refetchInterval: REFRESH_MS });

/** Loads the number of firing alerts every 15 seconds. Null if the database did not respond in time. */
export const useFiring = ({ enabled = true } = {}) =>
  useQuery({
    ...QUERY,
    select: ({ data }) => data.firing,
    staleTime: FIRING_REFRESH_MS,
    refetchInterval: FIRING_REFRESH_MS,
    enabled,
  });

/** Checks every 3 seconds which services are available. A 503 is a valid response here: its body names them. */
export const useReadiness = () =>
  useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) =>
      requestJson<Readiness>('/readyz', { signal, okStatuses: [503], timeoutS: TIMEOUT_S }),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
