import { useQuery } from '@tanstack/react-query';
import { requestJson } from '../../http/request.ts';
import type { One, Webhook } from '../../http/types.ts';

export const webhookKey = (id: string) => ['webhook', id];

/** Loads one integration and reloads it every 10 s. */
export const useWebhook = (id: string) =>
  useQuery({
    queryKey: webhookKey(id),
    queryFn: ({ signal }) => requestJson<One<Webhook>>(`/v2/webhooks/${encodeURIComponent(id)}`, { signal }),
    select: ({ data }) => data,
    refetchInterval: 10_000,
  });
