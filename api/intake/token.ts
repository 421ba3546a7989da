import { createHash, randomBytes } from 'node:crypto';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 32;
const SHAPE = /^[0-9A-Za-z]{32}$/;

/** A new token for a webhook's URL: 32 base62 characters, 190 bits. */
export function generateToken(): string {
  let text = '';
  while (text.length < LENGTH) {
    // 248 is the greatest multiple of 62 in a byte: what lies above would favour the first letters.
    for (const byte of randomBytes(LENGTH)) if (byte < 248 && text.length < LENGTH) text += BASE62[byte % 62];
  }
  return text;
}

export const isToken = (text: string): boolean => SHAPE.test(text);

/** Tokens are random, so a fast hash is enough: there is nothing to guess. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();
