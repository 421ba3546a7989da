import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import { RequestFailure } from '../http/request-failure.ts';
import type { Job, One } from '../http/types.ts';

/** Workers record progress once a second. Polling a little faster shows the result of a small job sooner. */
const POLL_INTERVAL_MS = 700;

/** The first part of the cache keys of all jobs. */
export const JOB_KEY = 'job';
export const jobKey = (id: string | null) => [JOB_KEY, id];

/** Polls a job until it has finished or a request fails permanently. A null id sends no request. */
export const useJob = (id: string | null) =>
  useQuery({
    queryKey: jobKey(id),
    queryFn: ({ signal }) => requestJson<One<Job>>(`/v2/jobs/${encodeURIComponent(id ?? '')}`, { signal }),
    select: ({ data }) => data,
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data?.data.finishedAt ? false : pollInterval(state.error)),
  });

/** Returns how often to load an unfinished job; false after a request that has failed permanently. */
export const pollInterval = (error: unknown): number | false =>
  isPermanent(error) ? false : POLL_INTERVAL_MS;

const isPermanent = (error: unknown): boolean => error instanceof RequestFailure && !error.isTemporary;
