import { useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Job } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { notify } from '../../parts/feedback/notify.tsx';
import { counted } from '../../text/quantities.ts';
import { destinationEntry } from '../use-destination.ts';

/** Which messages of a destination are sent again: one, or those that were given up for some reasons. */
export type ReplayedMessages = { sequence: number } | { states?: string[]; reasons?: string[] };

/** The response of a request that runs as a job; `data` is absent while the database is unavailable. */
interface Started {
  jobId: string;
  data?: Job;
}

const WAIT_S = 30;

/** Counts what a replay would send. */
export const countReplay = (
  destinationId: string,
  what: ReplayedMessages,
  asNew: boolean,
): Promise<Job['counts'] | undefined> =>
  'sequence' in what
    ? Promise.resolve(undefined)
    : requestJson<Started>(`${destinationEntry(destinationId).path}/replay`, {
        method: 'POST',
        json: { ...what, asNew, dryRun: true },
        headers: { prefer: `wait=${WAIT_S}` },
      }).then(({ data }) => data?.counts);

/** Returns a function that sends messages of a destination again. */
export function useReplay(destinationId: string) {
  const cache = useQueryClient();
  const once = useSendOnce();
  const { path, queryKey } = destinationEntry(destinationId);
  return async (what: ReplayedMessages, asNew: boolean): Promise<void> => {
    const [end, json] =
      'sequence' in what
        ? [`messages/${what.sequence}/replay`, { asNew }]
        : (['replay', { ...what, asNew }] as const);
    const { jobId, data } = await once([end, json], (key) =>
      requestJson<Started>(`${path}/${end}`, { method: 'POST', json, headers: { 'idempotency-key': key } }),
    );
    const text = describe(data);
    announce(text);
    notify({ text, link: { href: `/jobs/${jobId}`, text: 'View job' } });
    await Promise.all([
      cache.invalidateQueries({ queryKey }),
      cache.invalidateQueries({ predicate: ({ queryKey: [first] }) => String(first).startsWith(path) }),
      cache.invalidateQueries({ queryKey: ['/v2/jobs'] }),
    ]);
  };
}

function describe(job: Job | undefined): string {
  if (!job?.finishedAt) return 'The messages are being sent again';
  const { replayed = 0, superseded = 0 } = job.counts ?? {};
  if (replayed > 0) return `${counted(replayed, 'message')} ${replayed === 1 ? 'is' : 'are'} sent again`;
  return superseded > 0 ? 'Not sent: there is a newer message about the key' : 'Nothing was sent again';
}
