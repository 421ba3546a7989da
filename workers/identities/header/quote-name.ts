/** The first half of a surrogate pair that was cut in two. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** Returns a column's name as messages show it, with invisible characters as `<U+200B>`. */
export function quoteName(name: string): string {
  return JSON.stringify(cut(name, 60)).replace(INVISIBLE, (character) => `<${codePoint(character)}>`);
}

const codePoint = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Returns whether a name contains a character that nobody sees. */
export const isInvisiblyMarked = (name: string): boolean => /\p{Default_Ignorable_Code_Point}/u.test(name);

/**
 * Returns at most `length` UTF-16 units of a text, without splitting a character, and with `…` if the text is longer.
 */
export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).replace(HALF_CHARACTER, '')}…` : text;
}
