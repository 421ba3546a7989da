import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { JobFacets, One } from '../../http/types.ts';
import type { JobFilters } from './use-job-filters.ts';

const REFRESH_MS = 10_000;

/**
 * Counts the jobs that match the filters, by type and state.
 * @param newest the id of the newest listed job: a new one changes the counts at once
 */
export const useJobFacets = (query: JobFilters['query'], newest: string | undefined) =>
  useQuery({
    queryKey: ['/v2/jobs/facets', query, newest],
    queryFn: ({ signal }) => requestJson<One<JobFacets>>('/v2/jobs/facets', { query, signal }),
    select: ({ data }) => data,
    placeholderData: (last) => last,
    refetchInterval: REFRESH_MS,
    retry: false,
  });
