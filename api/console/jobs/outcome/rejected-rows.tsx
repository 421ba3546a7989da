import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { ErrorTable } from './error-table.tsx';
import { parseRejectedRows } from './parse-rejected-rows.ts';
import { readFirstRows } from './read-first-rows.ts';

/** The first rejected rows of a job that completed despite them. Only its rejected-rows file holds them. */
export function RejectedRows({ job }: { job: Job }) {
  const path = job.links.rejected;
  const first = useQuery({
    queryKey: ['rejected rows', job.id],
    queryFn: ({ signal }) => readFirstRows(path as string, parseRejectedRows, signal),
    enabled: path !== undefined && !job.error,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (first.error) {
    return <Failure error={first.error} title="Could not load the rejected rows" retry={first.refetch} />;
  }
  return first.data ? <ErrorTable errors={first.data} count={job.counts?.rejected ?? 0} /> : null;
}
