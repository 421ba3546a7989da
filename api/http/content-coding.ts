import { unsupportedCoding } from './errors.js';

/** A content coding that a route may accept. `x-gzip` is an old name of `gzip` (RFC 9110 §8.4.1.3). */
export type ContentCoding = 'gzip' | 'deflate';

/**
 * Returns the content coding of a body, or null if it has none. `identity` and empty list elements change nothing.
 * @param header the value of `Content-Encoding`
 * @throws RequestError 415 for a coding that is not accepted, and for several at once
 */
export function contentCoding<Coding extends ContentCoding>(
  header: string | undefined,
  accepted: readonly Coding[],
): Coding | null {
  if (header === undefined) return null;
  const codings = header
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const [name, ...more] = codings;
  if (name === undefined) return null;
  const known = accepted.find((coding) => coding === name || (coding === 'gzip' && name === 'x-gzip'));
  if (known === undefined || more.length > 0) throw unsupportedCoding(header, accepted);
  return known;
}
