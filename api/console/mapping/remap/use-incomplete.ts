import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Alert, Page } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { counted } from '../../text/quantities.ts';

/** More alerts than this are not counted here. The dry run counts them. */
const MAX_COUNTED = 100;
const REFRESH_MS = 30_000;

/** Returns a phrase with the number of incomplete alerts of an integration, or null if there are none or it is not known. */
export function useIncomplete(webhookId: string): string | null {
  const mayRead = useMay('alerts:read');
  const { data } = useQuery({
    queryKey: incompleteKey(webhookId),
    queryFn: ({ signal }) =>
      requestJson<Page<Alert>>('/v2/alerts', {
        query: { webhookId, state: 'incomplete', pageSize: MAX_COUNTED },
        signal,
      }),
    refetchInterval: REFRESH_MS,
    enabled: mayRead,
  });
  const text = data ? countIncomplete(data, 'earlier alert') : null;
  return (
    text &&
    `${text.charAt(0).toUpperCase()}${text.slice(1)} ${data?.data.length === 1 ? 'is' : 'are'} incomplete`
  );
}

export const incompleteKey = (webhookId: string) => ['incomplete alerts', webhookId];

/** Returns the number of incomplete alerts as text, such as `3 alerts`, or null if there are none. */
export function countIncomplete({ data, page }: Page<Alert>, what = 'alert'): string | null {
  if (data.length === 0) return null;
  return page.nextCursor ? `more than ${MAX_COUNTED} ${what}s` : counted(data.length, what);
}
