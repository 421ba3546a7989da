/** The first half of a surrogate pair that was cut in two. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** Returns a column's name as messages show it. */
export function quoteName(name: string): string {
  return JSON.stringify(cut(name, 60));
}

/**
 * Returns at most `length` UTF-16 units of a text, without splitting a character, and with `…` if the text is longer.
 */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(HALF_CHARACTER, '')}…` : text;
}
