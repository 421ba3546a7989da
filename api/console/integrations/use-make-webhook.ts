import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { useLocation } from 'wouter';
import { newIdempotencyKey } from '../http/idempotency-key.ts';
import { requestJson } from '../http/request.ts';
import type { One, Webhook } from '../http/types.ts';
import { announce } from '../parts/announce.tsx';
import { webhookKey } from './use-webhook.ts';

interface NewWebhook {
  name: string;
  description: string;
  template: string | null;
}

/** Makes an integration and goes to where its URL stands. The same one sent again, after a lost answer, is made once. */
export function useMakeWebhook() {
  const cache = useQueryClient();
  const [, navigate] = useLocation();
  const keyFor = useKeyOfContent();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (json: NewWebhook) =>
      requestJson<One<Webhook>>('/v2/webhooks', {
        method: 'POST',
        json,
        headers: { 'idempotency-key': keyFor(json) },
      }),
    onSuccess: (made) => {
      cache.setQueryData(webhookKey(made.data.id), made);
      void cache.invalidateQueries({ queryKey: ['/v2/webhooks'] });
      announce(`Integration ${made.data.name} is made`);
      navigate(`/integrations/new?made=${made.data.id}`, { replace: true });
    },
  });
  return { make: mutate, isPending, error };
}

/** An idempotency key that stays as long as what is sent does. */
function useKeyOfContent() {
  const last = useRef({ content: '', key: '' });
  return (json: unknown): string => {
    const content = JSON.stringify(json);
    if (last.current.content !== content) last.current = { content, key: newIdempotencyKey() };
    return last.current.key;
  };
}
