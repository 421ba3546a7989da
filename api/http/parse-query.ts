import type { ErrorDetail } from './errors.js';

/** Bytes that are not UTF-8 become U+FFFD, as in `URLSearchParams`. */
const decode = (bytes: Buffer): string => bytes.toString('utf8');

/** Returns the first names and values of a query string like `URLSearchParams`, whose time depends on what the text contains. */
export function queryPairs(text: string, max = Number.POSITIVE_INFINITY): [name: string, value: string][] {
  const bytes = Buffer.from(text);
  const unescaped = unescaper(bytes, decode);
  return encodedFields(bytes, 0, bytes.length, max).map(([name, nameEnd, value, end]) => [
    unescaped(name, nameEnd).text,
    unescaped(value, end).text,
  ]);
}

/**
 * Returns the parameters of a query string, the values of a repeated one as a list. Has no prototype, so `__proto__` is a parameter like
 * any other.
 *
 * Koa's `ctx.query` takes time that grows with the square of the number of parameters: 0.6 s of CPU time for the 16 KB that a request line may have.
 */
export function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of queryPairs(text)) {
    const given = query[name];
    if (given === undefined) query[name] = value;
    else if (typeof given === 'string') query[name] = [given, value];
    else given.push(value);
  }
  return query;
}

const ADDRESS_WITH_SPACE = /^[^\s@]+(?: +[^\s@]+)+@[^\s@]+$/;
/** Parameters with names of accounts. A name may contain spaces, but one that is an email address does not. */
const ACCOUNTS = ['identities', 'identity', 'searchValue'];
const HINT = 'A + in a query means a space: write + as %2B';

/**
 * Returns the errors of a query, with a hint where a value contains a `+` that was not escaped, and additional errors of accounts that are an
 * email address with such a `+`: the list would be empty.
 */
export function explainPlus(text: string, errors: readonly ErrorDetail[]): ErrorDetail[] {
  if (!text.includes('+')) return [...errors];
  const parts = text.split('&').filter((part) => part.includes('+', part.indexOf('=')));
  const withPlus = Object.entries(parseQuery(parts.join('&')));
  const explained = errors.map((error) => {
    const name = error.field?.split('.')[0];
    const isValue = error.code !== 'unknown_parameter' && withPlus.some(([one]) => one === name);
    return isValue ? { ...error, message: `${error.message.replace(/\.$/, '')}. ${HINT}` } : error;
  });
  const addresses = withPlus.filter(
    ([name, values]) =>
      ACCOUNTS.includes(name) &&
      !errors.some(({ field }) => field?.split('.')[0] === name) &&
      [values].flat().some((value) => ADDRESS_WITH_SPACE.test(value)),
  );
  return [
    ...explained,
    ...addresses.map(([field]) => ({
      field,
      code: 'unescaped_plus',
      message: `contains an address with a space. ${HINT}, and a space as %20`,
    })),
  ];
}

const [PERCENT, PLUS, SPACE, QUOTE, BACKSLASH] = [0x25, 0x2b, 0x20, 0x22, 0x5c];
/** JSON writes these control characters in two bytes: `\b`, `\t`, `\n`, `\f` and `\r`. The others take six. */
const SHORT_ESCAPES: readonly number[] = [0x08, 0x09, 0x0a, 0x0c, 0x0d];

/** The value of each byte as a hex digit; -1 if it is none. */
const HEX = Int8Array.from({ length: 256 }, (_, byte) =>
  /[0-9a-f]/i.test(String.fromCharCode(byte)) ? Number.parseInt(String.fromCharCode(byte), 16) : -1,
);

interface Unescaped {
  text: string;
  /** How many bytes JSON needs for its escapes, in addition to UTF-8 and the quotes. */
  escapes: number;
}

/**
 * Returns a function that decodes a part of a form or a query, from its bytes and without exceptions: `decodeURIComponent` took 2.3 s for
 * 1 MB of `%f0=%f0&`, and `URLSearchParams` 1.9 s. A `%` that escapes nothing stays.
 * @param decode returns the text of bytes, which may be in no valid encoding
 */
export function unescaper(
  encoded: Buffer,
  decode: (bytes: Buffer) => string,
): (start: number, end: number) => Unescaped {
  const bytes = Buffer.allocUnsafe(encoded.length);
  return (start, end) => {
    let length = 0;
    let escapes = 0;
    for (let at = start; at < end; at++) {
      let code = encoded[at] ?? 0;
      if (code === PLUS) code = SPACE;
      else if (code === PERCENT && at + 2 < end) {
        const escaped = ((HEX[encoded[at + 1] ?? 0] ?? 0) << 4) | (HEX[encoded[at + 2] ?? 0] ?? 0);
        if (escaped >= 0) {
          code = escaped;
          at += 2;
        }
      }
      bytes[length++] = code;
      if (code === QUOTE || code === BACKSLASH) escapes += 1;
      else if (code < SPACE) escapes += SHORT_ESCAPES.includes(code) ? 1 : 5;
    }
    return { text: length === 0 ? '' : decode(bytes.subarray(0, length)), escapes };
  };
}

/** A field as the bytes have it: the offsets of its name, of the end of its name, of its value, and of its end. */
export type EncodedField = readonly [name: number, nameEnd: number, value: number, end: number];

const [AMPERSAND, EQUALS] = [0x26, 0x3d];

/** Lists the first fields of a form or a query, at most `max` of them. Empty ones do not count. */
export function encodedFields(encoded: Buffer, start: number, end: number, max: number): EncodedField[] {
  const fields: EncodedField[] = [];
  let name = start;
  let equals = -1;
  for (let at = start; at <= end && fields.length < max; at++) {
    if (at < end && encoded[at] !== AMPERSAND) {
      if (equals < 0 && encoded[at] === EQUALS) equals = at;
      continue;
    }
    if (at > name) fields.push(equals < 0 ? [name, at, at, at] : [name, equals, equals + 1, at]);
    name = at + 1;
    equals = -1;
  }
  return fields;
}
