import { createHash } from 'node:crypto';

/**
 * How long a field may be: 255 characters, like the columns, or 16 KiB of UTF-8 for a description. A longer `title` keeps its end, and a
 * longer `key` is hashed. A `lookupKey` is a key that stays as long as it is.
 */
export type Length = 'short' | 'title' | 'long' | 'key' | 'lookupKey';

/** Returns whether a text identifies something, so that it must neither be changed nor contain what stands for no value. */
export const isKey = (length: Length | undefined): boolean => length === 'key' || length === 'lookupKey';

export const SHORT_CHARACTERS = 255;
export const LONG_BYTES = 16 * 1024;

const ELLIPSIS = '…';

/**
 * Truncates a text that is too long, between characters, and appends an ellipsis. Returns a text that fits unchanged. A key becomes
 * its hash: two keys with the same beginning must stay different.
 */
export function truncate(text: string, length: Length): string {
  if (length === 'lookupKey') return text;
  if (length === 'long') return truncateBytes(text);
  const truncated = truncateCharacters(text);
  if (length === 'short' || truncated === text) return truncated;
  return length === 'title' ? shortened(text) : hashed(text);
}

/** How many characters of the hash of a title, and of its end, are kept. */
const [HASH_CHARACTERS, END_CHARACTERS] = [6, 100];

/**
 * Returns the start and the end of a title, with a part of its hash between them: titles of alerts with long names often differ only in a
 * part of a name.
 */
function shortened(text: string): string {
  const mark = `${ELLIPSIS}${hashOf(text).slice(0, HASH_CHARACTERS)}${ELLIPSIS}`;
  // A text that was cut before may end with half a character.
  const ending = text.slice(-2 * END_CHARACTERS - 2).replace(/[\ud800-\udbff]$/, '');
  const end = [...ending].slice(-END_CHARACTERS).join('');
  const start = [...text.slice(0, 2 * SHORT_CHARACTERS)].slice(
    0,
    SHORT_CHARACTERS - END_CHARACTERS - mark.length,
  );
  return `${start.join('')}${mark}${end}`;
}

function truncateCharacters(text: string): string {
  if (text.length <= SHORT_CHARACTERS) return text;
  // Twice as many UTF-16 units contain at least one character more than the limit.
  const characters = [...text.slice(0, 2 * SHORT_CHARACTERS + 2)];
  if (characters.length <= SHORT_CHARACTERS) return text;
  return `${characters.slice(0, SHORT_CHARACTERS - 1).join('')}${ELLIPSIS}`;
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const hashed = (text: string): string => `sha256:${hashOf(text)}`;

function truncateBytes(text: string): string {
  // A UTF-16 unit takes at most 3 bytes.
  if (text.length * 3 <= LONG_BYTES || Buffer.byteLength(text) <= LONG_BYTES) return text;
  return `${text.slice(0, encoder.encodeInto(text, scratch).read)}${ELLIPSIS}`;
}

const encoder = new TextEncoder();

/** Written only to count how many characters fit, never read. */
const scratch = new Uint8Array(LONG_BYTES - Buffer.byteLength(ELLIPSIS));
