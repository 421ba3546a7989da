import { createHash } from 'node:crypto';
import { randomBase62 } from '../../db/access/base62.js';

const LENGTH = 32;
/** Characters that a URL has without escapes, and Basic credentials without ambiguity. */
const SHAPE = /^[0-9A-Za-z._~-]{20,128}$/;

/** What may be tokens in a text. */
export const TOKENS = /[0-9A-Za-z._~-]{20,128}/g;

/** Returns a new token for a webhook's URL: 32 base62 characters, 190 random bits. */
export const generateToken = (): string => randomBase62(LENGTH);

/** Returns whether a text has the shape of a token: of those that Muster makes, or that were imported from another product. */
export const isToken = (text: string): boolean => SHAPE.test(text);

/** Returns a token's SHA-256. A fast hash is enough: a random token cannot be guessed. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What stands for a token in what is stored. */
export const HIDDEN = '***';

/** Returns bytes without a token. */
export const withoutToken = (bytes: Buffer, token: string): Buffer =>
  bytes.includes(token) ? Buffer.from(bytes.toString('latin1').replaceAll(token, HIDDEN), 'latin1') : bytes;
