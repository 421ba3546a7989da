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

/** Makes an integration and goes to where its URL stands. The same one sent again, after a lost answer, is made once. */
export function useMakeWebhook() {
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
    onSuccess: (made) => {
      cache.setQueryData(webhookKey(made.data.id), made);
      void cache.invalidateQueries({ queryKey: ['/v2/webhooks'] });
      announce(`Integration ${made.data.name} is made`);
      navigate(`/integrations/new?made=${made.data.id}`, { replace: true });
    },
  });
  return { make: mutate, isPending, error };
}
