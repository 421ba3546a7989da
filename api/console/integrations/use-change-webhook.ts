import { useMutation, useQueryClient } from '@tanstack/react-query';
import { newIdempotencyKey } from '../http/idempotency-key.ts';
import { requestJson, type Sent } from '../http/request.ts';
import type { One, Webhook } from '../http/types.ts';
import { announce } from '../parts/announce.tsx';
import { webhookKey } from './use-webhook.ts';

interface Change {
  method: NonNullable<Sent['method']>;
  /** Behind the integration's own path: `/rotate`. */
  path?: string;
  json: unknown;
  /** What to say when it is done. */
  done: string;
}

/** Changes an integration and shows at once what came of it, on every page. */
export function useChangeWebhook(id: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path = '', json }: Change) =>
      requestJson<One<Webhook>>(`/v2/webhooks/${id}${path}`, {
        method,
        json,
        headers: { 'idempotency-key': newIdempotencyKey() },
      }),
    onSuccess: (changed, { done }) => {
      cache.setQueryData(webhookKey(id), changed);
      void cache.invalidateQueries({ queryKey: ['/v2/webhooks'] });
      announce(done);
    },
  });
}
