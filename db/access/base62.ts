import { randomBytes } from 'node:crypto';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random base62 characters, from a cryptographic source. 32 of them have 190 bits. */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    // 248 is the largest multiple of 62 in a byte. Larger bytes would make the first digits more frequent.
    for (const byte of randomBytes(length)) if (byte < 248 && text.length < length) text += DIGITS[byte % 62];
  }
  return text;
}

/** Returns an integer in base62, padded with zeros to `length` digits. Higher digits are cut off. */
export function toBase62(value: number, length: number): string {
  let left = value;
  let text = '';
  for (let i = 0; i < length; i++) {
    text = DIGITS[left % 62] + text;
    left = Math.floor(left / 62);
  }
  return text;
}
