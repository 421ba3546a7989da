import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureScheme } from '../../db/webhooks.js';

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

/** standardwebhooks.com: `v1,<base64>` over id, timestamp and body; several signatures may stand there. */
function isSignedStandard(secret: string, headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = String(headers['webhook-id'] ?? '');
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  if (id === '' || !/^\d{1,12}$/.test(timestamp) || !isStrongSecret(secret)) return false;
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_S) return false;
  const expected = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest();
  return String(headers['webhook-signature'] ?? '')
    .split(' ')
    .slice(0, 10)
    .map((part) => Buffer.from(part.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/** Fewer bytes of key can be guessed. */
const LEAST_KEY_BYTES = 16;

/** Decoding drops what is not base64, so a masked secret would make an empty key, which anybody can sign with. */
export function isStrongSecret(secret: string): boolean {
  if (!secret.startsWith('whsec_')) return true;
  const strict = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret);
  return strict && keyOf(secret).length >= LEAST_KEY_BYTES;
}

const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret);
