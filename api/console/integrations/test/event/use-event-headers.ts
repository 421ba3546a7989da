import { useQuery } from '@tanstack/react-query';
import { newIdempotencyKey } from '../../../http/idempotency-key.ts';
import type { Webhook } from '../../../http/types.ts';
import { canSign, signatureHeaders } from './sign-event.ts';

/** A signature with a timestamp is renewed before it expires. */
const RENEW_MS = 120_000;

/** Returns the headers to send a body with, including a signature if the integration requires one. */
export async function headersFor({ signature }: Webhook, body: string): Promise<Record<string, string>> {
  const type = { 'content-type': 'application/json' };
  if (!signature || !canSign()) return type;
  const signing = { id: `test_${newIdempotencyKey()}`, at: Math.floor(Date.now() / 1_000) };
  return { ...type, ...(await signatureHeaders(signature, body, signing)) };
}

/** Keeps the headers of a displayed command valid. Returns null until they are computed. */
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
