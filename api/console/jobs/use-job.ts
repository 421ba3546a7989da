import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../http/request.ts';
import { RequestFailure } from '../http/request-failure.ts';
import type { Job, One } from '../http/types.ts';

/** Workers note progress once a second; a small job is done sooner. */
const ASK_AGAIN_MS = 700;

export const jobKey = (id: string | null) => ['job', id];

/** A job, asked for until it has ended or cannot be had; nothing without an id. */
export const useJob = (id: string | null) =>
  useQuery({
    queryKey: jobKey(id),
    queryFn: ({ signal }) => requestJson<One<Job>>(`/v2/jobs/${encodeURIComponent(id ?? '')}`, { signal }),
    select: ({ data }) => data,
    enabled: id !== null,
    refetchInterval: ({ state }) =>
      state.data?.data.finishedAt || isForGood(state.error) ? false : ASK_AGAIN_MS,
  });

const isForGood = (error: unknown): boolean => error instanceof RequestFailure && !error.isTemporary;
