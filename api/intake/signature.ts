import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureScheme } from '../../db/webhooks/webhooks.js';

/** A signed request may be this old, or this far ahead; a recorded one cannot be sent again later. */
const TOLERANCE_S = 300;

/** True when the raw body was signed by whoever knows the secret. */
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

/** `X-Hub-Signature-256: sha256=<hex>` over the body. */
function isSignedGithub(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const given = /^sha256=([0-9a-f]{64})$/i.exec(String(headers['x-hub-signature-256'] ?? ''))?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(Buffer.from(given, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** Header families that carry a Standard Webhooks signature. Svix, which the standard comes from, sends its own. */
const FAMILIES = ['webhook', 'svix'] as const;

/**
 * Standard Webhooks 1.0, as the reference library verifies it: `v1,<base64>` over id, timestamp and body, any number of
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
 * Returns the delivery id that a verified Standard Webhooks signature covers, under its header's name: an id in a header of the
 * other family could be anybody's.
 */
export function signedDeliveryId(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const signed = signedHeaders(headers);
  return signed ? { [`${signed.family}-id`]: signed.id } : {};
}

/** The first family whose three headers are all there. */
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

/** Fewer bytes of key can be guessed. */
const MIN_KEY_BYTES = 16;

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Decoding drops what is not base64, so a masked secret would make an empty key, which anybody can sign with. */
export function isStrongSecret(secret: string): boolean {
  if (!secret.startsWith(PREFIX)) return true;
  return BASE64.test(secret.slice(PREFIX.length)) && keyOf(secret).length >= MIN_KEY_BYTES;
}

/** The reference library decodes base64 with and without the prefix. A secret that is not base64 is its own key. */
function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret;
  return BASE64.test(encoded) || encoded !== secret ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
