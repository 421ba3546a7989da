import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Page, Webhook } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';

/** As many as the API gives at once; of the rest the id is shown. */
const MOST = 1_000;

export interface WebhookNames {
  /** Newest first. */
  all: { id: string; name: string }[];
  /** In words, for those too that are deleted or may not be read. */
  nameOf: (id: string) => string;
  isThere: (id: string) => boolean;
}

/** What the integrations are called, for pages that hold only their ids. */
export function useWebhookNames(): WebhookNames {
  const may = useMay('webhooks:read', 'webhooks:write');
  const { data } = useQuery({
    queryKey: ['/v2/webhooks', 'names'],
    queryFn: ({ signal }) =>
      requestJson<Page<Webhook>>('/v2/webhooks', { query: { pageSize: MOST }, signal }),
    select: (page) => page.data.map(({ id, name }) => ({ id, name })),
    staleTime: 30_000,
    enabled: may,
  });
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  const unknown = (id: string) => (data && data.length < MOST ? 'deleted integration' : `…${id.slice(-8)}`);
  return { all: data ?? [], nameOf: (id) => names.get(id) ?? unknown(id), isThere: (id) => names.has(id) };
}
