import { useQuery } from '@tanstack/react-query';
import { newIdempotencyKey } from '../../../http/idempotency-key.ts';
import type { Webhook } from '../../../http/types.ts';
import { canSign, signatureHeaders } from './sign-event.ts';

/** A signature with a time in it is made anew before the old one is no longer taken. */
const RENEW_MS = 120_000;

/** The headers that a body is sent with, signed where the integration wants that. */
export async function headersFor({ signature }: Webhook, body: string): Promise<Record<string, string>> {
  const type = { 'content-type': 'application/json' };
  if (!signature || !canSign()) return type;
  const signing = { id: `test_${newIdempotencyKey()}`, at: Math.floor(Date.now() / 1_000) };
  return { ...type, ...(await signatureHeaders(signature, body, signing)) };
}

/** The same for a command that is shown: null until they are made. */
export function useEventHeaders(webhook: Webhook, body: string): Record<string, string> | null {
  const { scheme } = webhook.signature ?? {};
  const { data } = useQuery({
    queryKey: ['event headers', webhook.id, webhook.updatedAt, body],
    queryFn: () => headersFor(webhook, body),
    gcTime: 0,
    staleTime: RENEW_MS,
    refetchInterval: scheme === 'standard-webhooks' ? RENEW_MS : false,
    placeholderData: (last) => last,
  });
  return data ?? null;
}
