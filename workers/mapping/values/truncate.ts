/** How long a field may be: 255 characters, as the columns are, or 16 KiB of UTF-8 for a description. */
export type Length = 'short' | 'long';

export const SHORT_CHARACTERS = 255;
export const LONG_BYTES = 16 * 1024;

const MARK = '…';

/** Cuts a text that is too long, between characters, and marks it; the same text when it fits. */
export function cut(text: string, length: Length): string {
  return length === 'short' ? cutCharacters(text) : cutBytes(text);
}

function cutCharacters(text: string): string {
  if (text.length <= SHORT_CHARACTERS) return text;
  // Twice as many UTF-16 units hold at least one character more.
  const characters = [...text.slice(0, 2 * SHORT_CHARACTERS + 2)];
  if (characters.length <= SHORT_CHARACTERS) return text;
  return `${characters.slice(0, SHORT_CHARACTERS - 1).join('')}${MARK}`;
}

function cutBytes(text: string): string {
  // A UTF-16 unit is never more than 3 bytes.
  if (text.length * 3 <= LONG_BYTES || Buffer.byteLength(text) <= LONG_BYTES) return text;
  return `${text.slice(0, encoder.encodeInto(text, room).read)}${MARK}`;
}

const encoder = new TextEncoder();

/** Where the bytes that fit are counted; nobody reads them. */
const room = new Uint8Array(LONG_BYTES - Buffer.byteLength(MARK));
