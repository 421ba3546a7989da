import { useMutation, useQueryClient } from '@tanstack/react-query';
import { requestJson, type Sent } from '../../http/request.ts';
import type { One, Webhook } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { webhookKey } from '../webhook/use-webhook.ts';

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
  const once = useSendOnce();
  return useMutation({
    mutationFn: ({ method, path = '', json }: Change) =>
      once({ method, path, json }, (key) =>
        requestJson<One<Webhook>>(`/v2/webhooks/${id}${path}`, {
          method,
          json,
          headers: { 'idempotency-key': key },
        }),
      ),
    onSuccess: async (changed, { done }) => {
      // An answer on its way is from before the change.
      await cache.cancelQueries({ queryKey: webhookKey(id) });
      cache.setQueryData(webhookKey(id), changed);
      void cache.invalidateQueries({ queryKey: ['/v2/webhooks'] });
      announce(done);
    },
  });
}
