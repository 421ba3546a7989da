import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { randomBase62, toBase62 } from './base62.js';

/*
 * The text of API keys and of upload links: a prefix that says which of them it is, 32 random base62 characters (190 bits), and 6 of CRC32. It is
 * shown once and never stored.
 */

const CHECKSUM_LENGTH = 6;
const SHAPE = /^([0-9A-Za-z]{32,128})([0-9A-Za-z]{6})$/;

/** Returns a new random text with this prefix. */
export function generateSecretText(prefix: string): string {
  const random = randomBase62(32);
  return prefix + random + checksum(random);
}

/** Returns whether a text has this prefix, the shape and the checksum. A typo is found without a query. */
export function isSecretText(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix)) return false;
  const [, random, sum] = SHAPE.exec(text.slice(prefix.length)) ?? [];
  return random !== undefined && checksum(random) === sum;
}

const checksum = (text: string): string => toBase62(crc32(text), CHECKSUM_LENGTH);

/** Returns the SHA-256 of a text. A fast hash is enough: 190 random bits cannot be guessed. */
export const hashSecretText = (text: string): Buffer => createHash('sha256').update(text).digest();
