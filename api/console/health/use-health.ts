import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { Health, One } from '../http/types.ts';
import type { Readiness } from './readiness.ts';

const REFRESH_MS = 3_000;

/** Loads the health data every 3 seconds. If a request fails, the last data stays. */
export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => requestJson<One<Health>>('/v2/health', { signal }),
    select: ({ data }) => data,
    refetchInterval: REFRESH_MS,
    retry: false,
  });

/** Checks every 3 seconds which services are available. A 503 is a valid response here: its body names them. */
export const useReadiness = () =>
  useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => requestJson<Readiness>('/readyz', { signal, okStatuses: [503] }),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
