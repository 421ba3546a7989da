import type { Webhook } from '../../../http/types.ts';

type Signature = Pick<NonNullable<Webhook['signature']>, 'scheme' | 'secret'>;

/** How far a signature's timestamp may be from the time of receipt, in either direction. */
export const VALID_MINUTES = 5;

interface Signing {
  /** The delivery id. Events with the same id are stored once. */
  id: string;
  /** Seconds since 1970. */
  at: number;
}

/** Returns the headers that prove to an integration that a body comes from a sender who has its secret. */
export async function signatureHeaders(
  { scheme, secret }: Signature,
  body: string,
  { id, at }: Signing,
): Promise<Record<string, string>> {
  if (secret === null) return {};
  if (scheme === 'github') {
    const signed = await hmac(new TextEncoder().encode(secret), body);
    return { 'X-Hub-Signature-256': `sha256=${toHex(signed)}` };
  }
  const signed = toBase64(await hmac(keyOf(secret), `${id}.${at}.${body}`));
  return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signed}` };
}

/** Generates a secret as Standard Webhooks has it: `whsec_` and base64 of 24 random bytes. Every scheme accepts it. */
export const newSecret = (): string => `whsec_${toBase64(crypto.getRandomValues(new Uint8Array(24)))}`;

/** Returns whether this browser can sign. Browsers can on https: and loopback addresses only. */
export const canSign = (): boolean => globalThis.crypto?.subtle !== undefined;

async function hmac(secret: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text)));
}

/** Decodes a secret as Standard Webhooks does: base64 with or without `whsec_`. Any other secret is used as UTF-8 text. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const encoded = secret.replace(/^whsec_/, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) return new TextEncoder().encode(secret);
  const text = encoded.replace(/=+$/, '');
  // A single remaining character has too few bits for a byte.
  const whole = text.length % 4 === 1 ? text.slice(0, -1) : text;
  return Uint8Array.from(atob(whole), (letter) => letter.charCodeAt(0));
}

const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
