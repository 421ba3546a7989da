import { empty, type ValueError } from './errors.js';

/**
 * Control characters and line separators; lone surrogates; U+FFFD, which shows that a character was lost earlier; and
 * everything that is invisible or reverses the text. "Invisible" is Unicode's own list, Default_Ignorable_Code_Point:
 * the zero-width characters (U+200B–U+200F, U+2060, U+FEFF, U+180E), the bidi marks, overrides and isolates (U+061C,
 * U+202A–U+202E, U+2066–U+2069), the soft hyphen, variation selectors and tags; the blank Braille pattern U+2800; and
 * noncharacters. Two accounts must not differ by something invisible, so an emoji that is joined by U+200D or styled
 * by U+FE0F is rejected too.
 */
const FORBIDDEN =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\uFFF9-\uFFFD]/u;

/** All of Unicode's White_Space that looks like U+0020. With it, two names could look the same. */
const LOOK_ALIKE_SPACE = /[^\P{Zs} ]/u;

/**
 * White space before a value. Unlike `String.trim`, this does not trim a byte order mark or the separators U+2028 and
 * U+2029: they are left over from joined files, so the value may not be what it seems.
 */
const LEADING_SPACE = /^[\t\n\v\f\r\p{Zs}]+/u;

/** NFC makes one code point of at most four, each of two UTF-16 units. So longer text always exceeds its limit. */
const MAX_UNITS_PER_CODE_POINT = 8;

export type TextField = 'email' | 'identity';

/**
 * Normalizes a trimmed text to NFC.
 * @returns the text of 1 to `limit` code points without forbidden characters; or an error `…_missing`, `…_too_long`,
 *   `…_forbidden_character`
 */
export function normalizeText(field: TextField, trimmed: string, limit: number): string | ValueError {
  if (trimmed === '') return empty(field);
  if (trimmed.length > MAX_UNITS_PER_CODE_POINT * limit) return tooLong(field, limit);
  const value = trimmed.normalize('NFC');
  // For an email, EMAIL_SHAPE rejects white space of any kind.
  const forbidden = FORBIDDEN.exec(value) ?? (field === 'identity' ? LOOK_ALIKE_SPACE.exec(value) : null);
  if (forbidden) return forbiddenCharacter(field, forbidden);
  if (value.length <= limit) return value;
  const length = codePoints(value);
  return length > limit ? tooLong(field, limit, length) : value;
}

/** Removes white space around a text. */
export function trim(text: string): string {
  return text.replace(LEADING_SPACE, '').trimEnd();
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function tooLong(field: TextField, limit: number, length?: number): ValueError {
  const found = length === undefined ? '' : `, but has ${length}`;
  return { code: `${field}_too_long`, message: `must have at most ${limit} characters${found}` };
}

function forbiddenCharacter(field: TextField, found: RegExpExecArray): ValueError {
  const code = found[0].codePointAt(0) ?? 0;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  const place = codePoints(found.input.slice(0, found.index)) + 1;
  return {
    code: `${field}_forbidden_character`,
    message: `must not contain ${kindOf(found[0])} ${name} (character ${place})`,
  };
}

function kindOf(character: string): string {
  if (character === '\uFFFD') return 'the replacement character';
  if (/\p{Zs}/u.test(character)) return 'a character that looks like a space,';
  if (/\p{Noncharacter_Code_Point}/u.test(character)) return 'the noncharacter';
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(character)) return 'the control character';
  return /\p{Cs}/u.test(character) ? 'half of a surrogate pair,' : 'the invisible character';
}
