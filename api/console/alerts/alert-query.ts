import { requestJson } from '../http/request.ts';
import type { AlertDetail, One } from '../http/types.ts';

/** Returns the query for one alert, with its event and the result of each field. */
export const alertQuery = (id: string) => ({
  queryKey: ['alert', id],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    requestJson<One<AlertDetail>>(`/v2/alerts/${encodeURIComponent(id)}`, { signal }),
});
