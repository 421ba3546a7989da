import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { Page, Webhook } from '../../http/types.ts';
import { useMay } from '../../http/use-current-key.ts';
import { OWN_INTEGRATION } from './own-integration.ts';

/** The API's largest page. Integrations beyond it are shown by their id. */
const MAX_NAMES = 1_000;

export interface WebhookNames {
  /** Newest first. */
  all: { id: string; name: string }[];
  /** Returns the name, or a substitute for an integration that is deleted or that the key cannot read. */
  nameOf: (id: string) => string;
  exists: (id: string) => boolean;
}

/** Returns the names of the integrations, for pages that know only their ids. */
export function useWebhookNames(): WebhookNames {
  const may = useMay('webhooks:read', 'webhooks:write');
  const { data } = useQuery({
    queryKey: ['/v2/webhooks', 'names'],
    queryFn: ({ signal }) =>
      requestJson<Page<Webhook>>('/v2/webhooks', { query: { pageSize: MAX_NAMES }, signal }),
    select: (page) => page.data.map(({ id, name }) => ({ id, name })),
    staleTime: 30_000,
    enabled: may,
  });
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  const unknown = (id: string) =>
    data && data.length < MAX_NAMES ? 'deleted integration' : `…${id.slice(-8)}`;
  return {
    all: data ?? [],
    nameOf: (id) => (id === OWN_INTEGRATION.id ? OWN_INTEGRATION.name : (names.get(id) ?? unknown(id))),
    exists: (id) => names.has(id),
  };
}

/** Returns the integrations as values of a filter, with those that it is set to, which may be deleted. */
export const webhookOptions = (names: WebhookNames, values: readonly string[]) =>
  [...new Set([...names.all.map(({ id }) => id), ...values])].map((id) => ({
    value: id,
    label: names.nameOf(id),
  }));
