import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import type { Health, One } from '../http/types.ts';
import type { Readiness } from './words.ts';

const REFRESH_MS = 3_000;

/** How it goes; what was read last stays while it cannot be read anew. */
export const useHealth = () =>
  useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => requestJson<One<Health>>('/v2/health', { signal }),
    select: ({ data }) => data,
    refetchInterval: REFRESH_MS,
    retry: false,
  });

/** Whether all is there that is needed. */
export const useReadiness = () =>
  useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => requestJson<Readiness>('/readyz', { signal, alsoAnswers: [503] }),
    refetchInterval: REFRESH_MS,
    retry: false,
  });
