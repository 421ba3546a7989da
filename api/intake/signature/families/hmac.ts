import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isSameText } from '../same-text.js';
import { contentPieces, parseContent } from '../signed-content.js';
import { isRecent, type TimestampUnit } from '../timestamp.js';
import { headerOf, MAX_SIGNATURES, type Verify } from '../verdict.js';

export const HASHES = ['sha1', 'sha256', 'sha512'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;
export const SECRET_ENCODINGS = ['text', 'hex', 'base64'] as const;
/** A header may hold several signatures, separated by one of these. */
export const SEPARATORS = [',', ' '] as const;

/** How a sender signs with HMAC. This is all that differs between most sources. */
export interface HmacScheme {
  /** The header with the signature, in lower case. */
  header: string;
  /** A header that may hold the signature in place of `header`. Null if there is none. */
  otherHeader: string | null;
  /** In front of each signature, such as `sha256=`. */
  prefix: string;
  /** Between the parts of the header; null if it has only one. */
  separator: (typeof SEPARATORS)[number] | null;
  hash: (typeof HASHES)[number];
  encoding: (typeof ENCODINGS)[number];
  secretEncoding: (typeof SECRET_ENCODINGS)[number];
  /** See `signed-content.ts`. */
  signedContent: string;
  /** The header with the timestamp, in lower case; null if there is none, or if it is part of `header`. */
  timestampHeader: string | null;
  /** In front of the timestamp in `header`, such as `t=`. */
  timestampPrefix: string | null;
  timestampUnit: TimestampUnit;
  toleranceSeconds: number;
}

export const hasTimestamp = ({ timestampHeader, timestampPrefix }: HmacScheme): boolean =>
  timestampHeader !== null || timestampPrefix !== null;

/** Returns the verifier of an HMAC scheme for one secret. */
export function verifyHmac(hmac: HmacScheme, secret: string): Verify {
  const other = hmac.otherHeader === null ? null : { ...hmac, header: hmac.otherHeader };
  const verify = verifyHeader(hmac, secret);
  if (!other) return verify;
  const verifyOther = verifyHeader(other, secret);
  return (request) =>
    headerOf(request.headers, hmac.header) === '' ? verifyOther(request) : verify(request);
}

function verifyHeader(scheme: HmacScheme, secret: string): Verify {
  const { header, prefix, hash, encoding, timestampUnit, toleranceSeconds } = scheme;
  const key = scheme.secretEncoding === 'text' ? secret : Buffer.from(secret, scheme.secretEncoding);
  const content = parseContent(scheme.signedContent);
  return ({ headers, body, now }) => {
    if (headerOf(headers, header) === '') return 'missing_header';
    const timestamp = readTimestamp(scheme, headers);
    if (timestamp === '') return 'missing_header';
    if (timestamp !== null && !isRecent(timestamp, timestampUnit, toleranceSeconds, now))
      return 'old_timestamp';
    const hmac = createHmac(hash, key);
    for (const piece of contentPieces(content, timestamp ?? '', body)) hmac.update(piece);
    const expected = hmac.digest(encoding);
    const given = readParts(scheme, headers, prefix).slice(0, MAX_SIGNATURES);
    const isRight = given.some((text) =>
      isSameText(encoding === 'hex' ? text.toLowerCase() : text, expected),
    );
    return isRight ? 'verified' : 'wrong_signature';
  };
}

/** Returns the timestamp's text, '' if it is missing, null if the scheme has none. */
function readTimestamp(scheme: HmacScheme, headers: IncomingHttpHeaders): string | null {
  if (scheme.timestampHeader !== null) return headerOf(headers, scheme.timestampHeader);
  if (scheme.timestampPrefix !== null) return readParts(scheme, headers, scheme.timestampPrefix)[0] ?? '';
  return null;
}

/** Returns the parts of the signature's header that begin with a prefix, without it. */
function readParts(
  { header, separator }: HmacScheme,
  headers: IncomingHttpHeaders,
  prefix: string,
): string[] {
  const value = headerOf(headers, header);
  const parts = separator === null ? [value] : value.split(separator);
  return parts.flatMap((part) => {
    const text = part.trim();
    return text.startsWith(prefix) ? [text.slice(prefix.length)] : [];
  });
}
