import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { DeliveryId } from '../../event-id.js';
import { isSameText } from '../same-text.js';
import { TOLERANCE_S } from '../timestamp.js';
import { MAX_SIGNATURES, type Verdict, type Verify } from '../verdict.js';
import { ed25519Key, isSignedEd25519 } from './ed25519.js';

/** Prefixes of the headers that carry a Standard Webhooks signature. Svix, where the standard comes from, sends its own. */
const FAMILIES = ['webhook', 'svix'] as const;

interface SignedHeaders {
  family: (typeof FAMILIES)[number];
  id: string;
  timestamp: number;
  signatures: string;
}

/**
 * Verifies Standard Webhooks 1.0 as the reference library does: `v1,<base64>` over id, timestamp and body; several signatures are
 * separated by spaces. https://github.com/standard-webhooks/standard-webhooks
 */
export function verifyStandardWebhooks(secret: string): Verify {
  const key = keyOf(secret);
  const isUsable = isStrongSecret(secret);
  return verifyWith('v1', (signed, body) => {
    const expected = createHmac('sha256', key).update(signed).update(body).digest('base64');
    return (signature) => isUsable && isSameText(signature, expected);
  });
}

/** Verifies the asymmetric signatures of the standard: `v1a,<base64>`, with Ed25519. The key is base64 after `whpk_`. */
export function verifyStandardWebhooksEd25519(publicKey: string): Verify {
  const key = ed25519Key(publicKey);
  return verifyWith('v1a', (signed, body) => {
    const content = Buffer.concat([Buffer.from(signed), body]);
    return (signature) => isSignedEd25519(key, content, Buffer.from(signature, 'base64'));
  });
}

/** Returns what tells whether a signature of this content is right. */
type Comparison = (signed: string, body: Buffer) => (signature: string) => boolean;

const verifyWith =
  (version: string, compare: Comparison): Verify =>
  ({ headers, body, now = Date.now() }): Verdict => {
    const signed = signedHeaders(headers);
    if (!signed) return 'missing_header';
    const { id, timestamp, signatures } = signed;
    if (!(Math.abs(Math.floor(now / 1_000) - timestamp) <= TOLERANCE_S)) return 'old_timestamp';
    const given = signaturesOf(signatures, version);
    if (given.length === 0) return 'wrong_signature';
    return given.some(compare(`${id}.${timestamp}.`, body)) ? 'verified' : 'wrong_signature';
  };

/** Lists the first signatures of a version. */
function signaturesOf(header: string, version: string): string[] {
  const parts = header.split(' ').map((part) => part.split(','));
  const given = parts.filter(([partVersion]) => partVersion === version);
  return given.slice(0, MAX_SIGNATURES).map(([, signature = '']) => signature);
}

/**
 * Returns the delivery id that a verified Standard Webhooks signature covers. An id
 * in a header of the other family is not signed, so anyone could have set it.
 */
export function signedDeliveryId(headers: IncomingHttpHeaders): DeliveryId | null {
  const signed = signedHeaders(headers);
  return signed && { name: `${signed.family}-id`, value: signed.id };
}

/** Returns the first family of which all three headers are present. */
function signedHeaders(headers: IncomingHttpHeaders): SignedHeaders | null {
  for (const family of FAMILIES) {
    const sent = (name: string) => String(headers[`${family}-${name}`] ?? '');
    const [id, timestamp, signatures] = [sent('id'), sent('timestamp'), sent('signature')];
    if (id && timestamp && signatures)
      return { family, id, timestamp: Number.parseInt(timestamp, 10), signatures };
  }
  return null;
}

/** A shorter key could be guessed. */
const MIN_KEY_BYTES = 16;

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Returns whether a secret decodes to a strong key. Decoding drops what is not base64, so a masked secret would give an
 * empty key, with which anyone can sign.
 */
export function isStrongSecret(secret: string): boolean {
  if (!secret.startsWith(PREFIX)) return true;
  return BASE64.test(secret.slice(PREFIX.length)) && keyOf(secret).length >= MIN_KEY_BYTES;
}

/**
 * Returns the key of a secret. The reference library decodes base64 with and without the prefix; a secret that is not base64
 * is the key itself.
 */
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  return BASE64.test(encoded) || encoded !== secret ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
