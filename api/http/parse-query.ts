import type { ErrorDetail } from './errors.js';
import { fieldsOf, unescaper } from './unescape.js';

/** Bytes that are not UTF-8 become U+FFFD, as in `URLSearchParams`. */
const decode = (bytes: Buffer): string => bytes.toString('utf8');

/** Returns the first names and values of a query string like `URLSearchParams`, whose time depends on what the text contains. */
export function queryPairs(text: string, max = Number.POSITIVE_INFINITY): [name: string, value: string][] {
  const bytes = Buffer.from(text);
  const unescaped = unescaper(bytes, decode);
  return fieldsOf(bytes, 0, bytes.length, max).map(([name, nameEnd, value, end]) => [
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
