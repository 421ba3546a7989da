import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RequestOptions, requestJson } from '../../http/request.ts';
import type { One, Webhook } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { webhookKey } from '../webhook/use-webhook.ts';

interface Change {
  method: NonNullable<RequestOptions['method']>;
  /** Appended to the integration's path, such as `/rotate`. */
  path?: string;
  json: unknown;
  /** The revision of the settings that may be replaced. Default: any. */
  revision?: number;
  /** Announced after success. */
  done: string;
}

/** Changes an integration and updates every page that shows it with the response. */
export function useChangeWebhook(id: string) {
  const cache = useQueryClient();
  const once = useSendOnce();
  return useMutation({
    mutationFn: ({ method, path = '', json, revision }: Change) =>
      once({ method, path, json, revision }, (key) =>
        requestJson<One<Webhook>>(`/v2/webhooks/${id}${path}`, {
          method,
          json,
          headers: {
            'idempotency-key': key,
            ...(revision === undefined ? {} : { 'if-match': `"${revision}"` }),
          },
        }),
      ),
    onSuccess: async (changed, { done }) => {
      // A response that is still on its way dates from before the change.
      await cache.cancelQueries({ queryKey: webhookKey(id) });
      cache.setQueryData(webhookKey(id), changed);
      void cache.invalidateQueries({ queryKey: ['/v2/webhooks'] });
      announce(done);
    },
  });
}
