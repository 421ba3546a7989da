import { requestJson } from '../http/request.ts';
import type { AlertDetail, One } from '../http/types.ts';

/** One alert, with its event and how each field was filled. */
export const alertQuery = (id: string) => ({
  queryKey: ['alert', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    requestJson<One<AlertDetail>>(`/v2/alerts/${encodeURIComponent(id)}`, { signal }),
});
