import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useSearchParams } from 'wouter';
import { requestJson } from '../../http/request.ts';
import type { Accepted, Job, Page } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { pollInterval, useJob } from '../use-job.ts';

/** The parameter of the page's address that has the id of the dry run. */
export const DRY_RUN = 'revertDryRun';

/** Returns the dry run of a job's revert, which is kept in the page's address, and functions that start it and the revert. */
export function useRevert(id: string) {
  const [search, setSearch] = useSearchParams();
  const [, navigate] = useLocation();
  const cache = useQueryClient();
  const once = useSendOnce();
  const send = (dryRun: boolean) =>
    once([id, dryRun], (key) =>
      requestJson<Accepted>(`/v2/jobs/${id}/revert`, {
        method: 'POST',
        query: { dryRun },
        headers: { 'idempotency-key': key, prefer: 'respond-async' },
      }),
    );
  const starting = useMutation({
    mutationFn: () => send(true),
    onSuccess: ({ jobId }) =>
      setSearch(
        (before) => {
          before.set(DRY_RUN, jobId);
          return before;
        },
        { replace: true },
      ),
  });
  const dryRunId = search.get(DRY_RUN);
  const { data, error } = useJob(dryRunId);
  // The address may name any job.
  const isOfJob = data?.revertOf === id && data.dryRun;
  return {
    starting,
    dryRun: isOfJob ? data : null,
    isLoading: dryRunId !== null && !data && !error,
    error: dryRunId === null ? null : error,
    revert: async () => {
      const { jobId } = await send(false);
      // The lists of jobs lack the revert.
      void cache.invalidateQueries({ queryKey: ['/v2/jobs'] });
      navigate(`/jobs/${jobId}`);
    },
  };
}

/** Loads the reverts of a job, newest first, without dry runs, and again until all have finished. */
export const useReverts = (id: string, isEnabled: boolean) =>
  useQuery({
    queryKey: ['/v2/jobs', 'reverts', id],
    queryFn: ({ signal }) =>
      requestJson<Page<Job>>('/v2/jobs', { query: { revertOf: id, pageSize: 200 }, signal }),
    select: ({ data }) => data.filter(({ dryRun }) => !dryRun),
    enabled: isEnabled,
    refetchInterval: ({ state }) =>
      state.data?.data.some(isRunningRevert) ? pollInterval(state.error) : false,
  });

const isRunningRevert = ({ dryRun, finishedAt }: Job): boolean => !dryRun && finishedAt === null;
