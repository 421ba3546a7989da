/** What a destination sends with each message besides Muster's own headers. Names are in lower case. */
export type CustomHeaders = Readonly<Record<string, string>>;

const MAX_HEADERS = 20;
const [MAX_NAME, MAX_VALUE, MAX_CHARACTERS] = [100, 4_000, 8_000];

/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Latin-1 without control characters. Spaces at the ends are not part of a value. */
const VALUE = /^[!-~\u00a0-\u00ff](?:[\t -~\u00a0-\u00ff]*[!-~\u00a0-\u00ff])?$/;
/** Muster sets them, or they would change how a request is transferred. */
const RESERVED =
  /^(?:host|user-agent|content-.+|webhook-.+|accept-encoding|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|proxy-.+)$/i;

/** Returns what is wrong with a header, or null. It does not say its value. */
export function headerError(name: string, value: string | null): string | null {
  if (name.length > MAX_NAME || !NAME.test(name))
    return `must have names of 1 to ${MAX_NAME} letters, digits and - _ . ! # $ % & ' * + ^ \` | ~`;
  if (RESERVED.test(name)) return `must not have ${name}, which Muster sets itself`;
  if (value !== null && (value.length > MAX_VALUE || !VALUE.test(value)))
    return `has an invalid value of ${name}: must be 1 to ${MAX_VALUE} Latin-1 characters without line breaks, and without spaces at its ends`;
  return null;
}

/** Returns what is wrong with all headers together, or null. */
export function headersError(headers: CustomHeaders): string | null {
  const entries = Object.entries(headers);
  if (entries.length > MAX_HEADERS) return `must have at most ${MAX_HEADERS} headers`;
  const characters = entries.flat().join('').length;
  return characters > MAX_CHARACTERS ? `must have at most ${MAX_CHARACTERS} characters together` : null;
}

/** Returns headers with a change: each value replaces the one of its name, and null removes it. */
export function withHeaders(
  current: CustomHeaders,
  change: Readonly<Record<string, string | null>>,
): CustomHeaders {
  const headers = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(change)) {
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(headers);
}

/** Returns the headers of a destination from what is stored. */
export const parseHeaders = (json: string | null): CustomHeaders => (json === null ? {} : JSON.parse(json));
