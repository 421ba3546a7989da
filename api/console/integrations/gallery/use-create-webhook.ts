import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { requestJson } from '../../http/request.ts';
import type { One, Webhook } from '../../http/types.ts';
import { useSendOnce } from '../../http/use-send-once.ts';
import { announce } from '../../parts/feedback/announce.tsx';
import { webhookKey } from '../webhook/use-webhook.ts';

interface NewWebhook {
  name: string;
  description: string;
  template: string | null;
}

/**
 * Creates an integration and opens the page that shows its URL. Submitting the same form again after a lost response
 * creates it once.
 */
export function useCreateWebhook() {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const once = useSendOnce();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (json: NewWebhook) =>
      once(json, (key) =>
        requestJson<One<Webhook>>('/v2/webhooks', {
          method: 'POST',
          json,
          headers: { 'idempotency-key': key },
        }),
      ),
    onSuccess: (created) => {
      cache.setQueryData(webhookKey(created.data.id), created);
      void cache.invalidateQueries({ queryKey: ['/v2/webhooks'] });
      announce(`Created integration ${created.data.name}`);
      navigate(`/integrations/new?made=${created.data.id}`, { replace: true });
    },
  });
  return { create: mutate, isPending, error };
}
