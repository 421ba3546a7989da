import { createHmac, randomBytes } from 'node:crypto';

/** What a secret must be, to complete the name of the field. */
export const SECRET_RULE = 'must be whsec_ followed by the base64 of 24 to 64 bytes';

const PREFIX = 'whsec_';
const [MIN_BYTES, MAX_BYTES, NEW_BYTES] = [24, 64, 32];

/** Returns a new secret in the form of Standard Webhooks: `whsec_` and the base64 of 32 random bytes. */
export const newSecret = (): string => secretOf(randomBytes(NEW_BYTES));

const secretOf = (key: Buffer): string => PREFIX + key.toString('base64');

/** What people copy along with a secret: spaces, quotes, and the version that some products show in front of it. */
const PASTED = /^["'`]?(?:v1,)?(?:whsec_)?(?<encoded>[A-Za-z0-9+/_-]+={0,2})["'`]?$/;

/**
 * Returns a secret that somebody entered in the form of Standard Webhooks, or null if it is not one, see `SECRET_RULE`. Like the libraries of the standard,
 * it takes base64 without `whsec_` too.
 */
export function parseSecret(pasted: string): string | null {
  const encoded = PASTED.exec(pasted.trim())?.groups?.encoded;
  if (encoded === undefined) return null;
  const key = Buffer.from(encoded, 'base64');
  return key.length >= MIN_BYTES && key.length <= MAX_BYTES ? secretOf(key) : null;
}

/** A request to sign. */
export interface Signable {
  /** The same at each attempt, without dots. */
  id: string;
  /** When this attempt is made: receivers reject a timestamp that is some minutes old. */
  timestampSeconds: number;
  /** Exactly what is sent. */
  body: string | Uint8Array;
  /** From `newSecret` or `parseSecret`. While a secret is replaced, the new and the previous one. */
  secrets: readonly [current: string, ...previous: string[]];
}

/**
 * Returns the headers of a request as Standard Webhooks 1.0 says: HMAC-SHA256 over id, timestamp and body, once with each secret.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signatureHeaders({ id, timestampSeconds, body, secrets }: Signable): Record<string, string> {
  const signatureWith = (secret: string): string => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${id}.${timestampSeconds}.`).update(body);
    return `v1,${hmac.digest('base64')}`;
  };
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map(signatureWith).join(' '),
  };
}
