import { useQuery } from '@tanstack/react-query';
import type { SignaturePreset, Webhook } from '../../../http/types.ts';
import { newIdempotencyKey } from '../../../http/use-send-once.ts';
import { useSignaturePresets } from '../../webhook/use-signature-presets.ts';
import { canSign, signatureHeaders } from './sign-event.ts';

/** A signature with a timestamp is renewed before it expires. */
const RENEW_MS = 120_000;

/** Returns the preset of an integration's signature: null if it requires none, undefined until it is loaded. */
export function useSignaturePreset({ signature }: Webhook): SignaturePreset | null | undefined {
  const { data } = useSignaturePresets();
  return signature === null ? null : data?.find(({ name }) => name === signature.scheme);
}

/** Returns the headers to send a body with, including a signature if the integration requires one. */
export async function headersFor(
  { signature }: Webhook,
  preset: SignaturePreset | null | undefined,
  body: string,
): Promise<Record<string, string>> {
  const type = { 'content-type': 'application/json' };
  if (!signature || !preset || !canSign()) return type;
  const signing = { id: `test_${newIdempotencyKey()}`, at: Math.floor(Date.now() / 1_000) };
  return { ...type, ...(await signatureHeaders(signature, preset, body, signing)) };
}

/** Keeps the headers of a displayed command valid. Returns null until they are computed. */
export function useEventHeaders(webhook: Webhook, body: string): Record<string, string> | null {
  const preset = useSignaturePreset(webhook);
  const { data } = useQuery({
    queryKey: ['event headers', webhook.id, webhook.updatedAt, body],
    queryFn: () => headersFor(webhook, preset, body),
    enabled: preset !== undefined,
    gcTime: 0,
    staleTime: RENEW_MS,
    refetchInterval: preset ? RENEW_MS : false,
    placeholderData: (last) => last,
  });
  return data ?? null;
}
