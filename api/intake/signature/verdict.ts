import type { IncomingHttpHeaders } from 'node:http';

/** A request as it was received: the body's bytes before any decoding. */
export interface SignedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** When it was received, in milliseconds since 1970. Default: now, by the clock of this host. */
  now?: number;
}

/**
 * Why a request is not verified. `unverifiable`: the request may be right, but this host cannot check it, because the secret
 * cannot be decrypted or a certificate cannot be loaded.
 */
export const REJECTIONS = ['missing_header', 'wrong_signature', 'old_timestamp', 'unverifiable'] as const;
export type Rejection = (typeof REJECTIONS)[number];

export type Verdict = 'verified' | Rejection;

/** The most signatures of a request that are compared. A source sends two while its secret is rotated. */
export const MAX_SIGNATURES = 8;

/**
 * Verifies requests with one secret. Looks at the age before the body, and computes one HMAC for any number of signatures: the sender
 * chooses how many there are and how large the body is. Only a scheme that has to load a certificate returns a promise. Never throws.
 */
export type Verify = (request: SignedRequest) => Verdict | Promise<Verdict>;

/** Returns a header's value, '' if it is absent. Node joins the values of a repeated header with `, `. */
export const headerOf = (headers: IncomingHttpHeaders, name: string): string => String(headers[name] ?? '');
