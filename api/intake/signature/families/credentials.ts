import { isSameText } from '../same-text.js';
import { headerOf, type Verify } from '../verdict.js';

/** How a sender proves itself with a fixed value of a header. It signs nothing: anyone who sees a request knows the value. */
export interface TokenScheme {
  /** In lower case. */
  header: string;
  /** In front of the token, such as `Bearer `. */
  prefix: string;
}

/** Returns the verifier of a fixed header value. */
export const verifyToken =
  ({ header, prefix }: TokenScheme, token: string): Verify =>
  ({ headers }) => {
    const given = headerOf(headers, header);
    if (given === '') return 'missing_header';
    return isSameText(given, `${prefix}${token}`) ? 'verified' : 'wrong_signature';
  };

/** Returns the verifier of HTTP Basic authentication (RFC 7617), with UTF-8 as the character set. */
export const verifyBasic =
  (username: string, password: string): Verify =>
  ({ headers }) => {
    const given = headerOf(headers, 'authorization');
    if (given === '') return 'missing_header';
    const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(given)?.[1] ?? '';
    const credentials = Buffer.from(encoded, 'base64').toString();
    return isSameText(credentials, `${username}:${password}`) ? 'verified' : 'wrong_signature';
  };
