import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureScheme } from '../../db/webhooks/webhooks.js';

/**
 * The timestamp of a signed request may differ this much from our clock, so that a recorded request cannot be replayed
 * later.
 */
const TOLERANCE_S = 300;

/** Returns whether the raw body is signed with the secret. */
export function isSigned(
  scheme: SignatureScheme,
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
): boolean {
  return scheme === 'github'
    ? isSignedGithub(secret, headers, body)
    : isSignedStandard(secret, headers, body);
}

/** Verifies `X-Hub-Signature-256: sha256=<hex>` over the body. */
function isSignedGithub(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(String(headers['x-hub-signature-256'] ?? ''))?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** Prefixes of the headers that carry a Standard Webhooks signature. Svix, where the standard comes from, sends its own. */
const FAMILIES = ['webhook', 'svix'] as const;

/**
 * Verifies Standard Webhooks 1.0 as the reference library does: `v1,<base64>` over id, timestamp and body; any number of
 * signatures, separated by spaces. https://github.com/standard-webhooks/standard-webhooks
 */
function isSignedStandard(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const signed = signedHeaders(headers);
  if (!signed || !isStrongSecret(secret)) return false;
  const now = Math.floor(Date.now() / 1_000);
  if (Number.isNaN(signed.timestamp) || Math.abs(now - signed.timestamp) > TOLERANCE_S) return false;
  const expected = createHmac('sha256', keyOf(secret))
    .update(`${signed.id}.${signed.timestamp}.`)
    .update(body)
    .digest('base64');
  return signed.signatures.split(' ').some((part) => {
    const [version, signature = ''] = part.split(',');
    return version === 'v1' && isSameText(signature, expected);
  });
}

/**
 * Returns the delivery id that a verified Standard Webhooks signature covers, under its header's name. An id
 * in a header of the other family is not signed, so anyone could have set it.
 */
export function signedDeliveryId(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const signed = signedHeaders(headers);
  return signed ? { [`${signed.family}-id`]: signed.id } : {};
}

/** Returns the first family of which all three headers are present. */
function signedHeaders(headers: IncomingHttpHeaders) {
  for (const family of FAMILIES) {
    const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
      String(headers[`${family}-${name}`] ?? ''),
    ) as [string, string, string];
    if (id && timestamp && signatures)
      return { family, id, timestamp: Number.parseInt(timestamp, 10), signatures };
  }
  return null;
}

function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
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
