/** The marks of JSON. They have the same code in ASCII, UTF-8 and UTF-16. */
export const [QUOTE, BACKSLASH, COMMA, NEWLINE] = [0x22, 0x5c, 0x2c, 0x0a];
export const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns whether JSON ignores this character between values. */
export const isSpace = (code: number): boolean =>
  code === 0x20 || code === NEWLINE || code === 0x0d || code === 0x09;
