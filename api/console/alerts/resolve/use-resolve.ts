import { useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Job } from '../../http/types.ts';
import { newIdempotencyKey, useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { notify } from '../../parts/feedback/notify.tsx';
import { counted } from '../../text/quantities.ts';
import type { AlertQuery } from '../list/alert-query.ts';

/** Which alerts to resolve: one, or all firing ones that match the filters of the list. */
export type Resolved = { id: string } | { filter: AlertQuery };

/** The response of a request that runs as a job; `data` is absent while the database is unavailable. */
interface Started {
  jobId: string;
  data?: Job;
}

const WAIT_S = 30;
/** The most alerts that the console resolves at a time. */
export const MAX_RESOLVED = 100_000;

/** Returns a function that resolves alerts, with a reason, and offers to take that back. */
export function useResolve() {
  const cache = useQueryClient();
  const once = useSendOnce();
  const refresh = () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: ['alert'] }),
      cache.invalidateQueries({
        predicate: ({ queryKey: [first] }) => String(first).startsWith('/v2/alerts'),
      }),
      cache.invalidateQueries({ queryKey: ['/v2/jobs'] }),
    ]);
  const undo = async (jobId: string) => {
    try {
      const { data } = await post(`/v2/jobs/${jobId}/revert`, undefined, newIdempotencyKey());
      tell(data?.counts?.reopened, 'fires again', 'fire again', jobId);
    } catch (error) {
      notify({ text: `Could not take that back: ${messageOf(error)}`, isWarning: true });
    }
    await refresh();
  };
  return async (what: Resolved, reason: string): Promise<void> => {
    const body = { reason: reason.trim() || null };
    const { jobId, data } = await once([what, body], (key) =>
      'id' in what
        ? post(`/v2/alerts/${what.id}/resolve`, body, key)
        : post('/v2/alerts/resolve', { ...body, filter: filterOf(what.filter), limit: MAX_RESOLVED }, key),
    );
    tell(data?.counts?.resolved, 'is resolved', 'are resolved', jobId, () => void undo(jobId));
    await refresh();
  };
}

/** Returns how many firing alerts match the filters of the list. */
export async function countFiring(query: AlertQuery): Promise<number> {
  const { data } = await requestJson<{
    data: { status: { values: { value: string | null; alerts: number }[] } | null };
  }>('/v2/alerts/facets', { query: { ...query, status: '', fields: 'status' } });
  return data.status?.values.find(({ value }) => value === 'firing')?.alerts ?? 0;
}

const post = (path: string, json: object | undefined, key: string): Promise<Started> =>
  requestJson<Started>(path, {
    method: 'POST',
    ...(json === undefined ? {} : { json }),
    headers: { 'idempotency-key': key, prefer: `wait=${WAIT_S}` },
  });

/** The filters of the list that the request takes: those that are set. All of them are of firing alerts. */
const filterOf = ({ status: _, ...query }: AlertQuery): AlertQuery =>
  Object.fromEntries(
    Object.entries(query).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value)),
  );

function tell(count: number | undefined, one: string, many: string, jobId: string, undo?: () => void): void {
  const text =
    count === undefined ? 'The job is running' : `${counted(count, 'alert')} ${count === 1 ? one : many}`;
  announce(text);
  notify({
    text,
    link: { href: `/jobs/${jobId}`, text: 'View job' },
    action: undo && count !== 0 ? { text: 'Undo', run: undo } : undefined,
  });
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
