import { useQuery } from '@tanstack/react-query';
import { request } from '../../http/request.ts';
import type { ErrorDetail } from '../../http/request-failure.ts';
import type { Job } from '../../http/types.ts';
import { Failure } from '../../parts/feedback/failure.tsx';
import { ErrorTable } from './error-table.tsx';
import { parseRejectedRows } from './parse-rejected-rows.ts';

/** Enough of the file for the first rows. */
const FIRST_BYTES = 'bytes=0-65535';

/** The first rejected rows of a job that completed despite them. Only its rejected-rows file holds them. */
export function RejectedRows({ job }: { job: Job }) {
  const path = job.links.rejected;
  const first = useQuery({
    queryKey: ['rejected rows', job.id],
    queryFn: ({ signal }) => readFirst(path as string, signal),
    enabled: path !== undefined && !job.error,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (first.error) {
    return <Failure error={first.error} title="Could not load the rejected rows" retry={first.refetch} />;
  }
  return first.data ? <ErrorTable errors={first.data} count={job.counts?.rejected ?? 0} /> : null;
}

async function readFirst(path: string, signal: AbortSignal): Promise<ErrorDetail[]> {
  const [response, csv] = await Promise.all([
    request(path, { headers: { range: FIRST_BYTES }, signal }),
    import('csv-parse/browser/esm/sync'),
  ]);
  return parseRejectedRows(await response.text(), csv.parse);
}
