/**
 * The rules for a developer identity, the same for JSON and CSV.
 *
 * Each check returns the normalized value, which is a string or a number, or a {@link ValueError}, which is an
 * object. Nothing is thrown and nothing is allocated for a valid value, because an import checks a million rows
 * twice.
 */

import { isLosslessNumber } from 'lossless-json';
import type { ValueError } from './errors.js';

export type IdentityRecord = { email: string; integrationId: number; identity: string };

/** In code points. RFC 5321 §4.5.3.1.3 allows a path of 256 octets, two of them its angle brackets. */
const MAX_EMAIL = 254;

/** In code points, as the column counts them. */
const MAX_IDENTITY = 255;

/** Matches most rows. The slow path would return these values unchanged. */
const PLAIN_EMAIL = /^[!-+\--9=?[-~]+@[!#-&(-+\--9=?[-~]+$/;
const PLAIN_IDENTITY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;
const PLAIN_INTEGER = /^[1-9][0-9]{0,15}$/;
const EMAIL_SHAPE = /^[^@\s]+@[^@\s]+$/;

/**
 * Characters that lists, mail programs and web pages put around an address. An address may not contain them in these
 * places.
 */
const NOT_BARE = /[<>,;]|^[a-z][a-z0-9+.-]*:|:\/\/|@.*['"]/;

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

/**
 * No text longer than this, in UTF-16 units, can be normalized to 255 code points: NFC makes one code point of at
 * most four, each of two units. Longer text is not worth normalizing.
 */
const MAX_NORMALIZED = 8 * MAX_IDENTITY;

/**
 * Checks an email address.
 *
 * @param raw a JSON value or a CSV cell
 * @returns the address trimmed, lower-cased and in NFC, of 1 to 254 code points with one `@` that has text on both
 *   sides, no white space and no forbidden character; or an error `email_missing`, `email_not_a_string`,
 *   `email_too_long`, `email_forbidden_character`, `email_invalid`
 */
export function checkEmail(raw: unknown): string | ValueError {
  if (typeof raw !== 'string') return notAString('email', raw);
  if (isPlainEmail(raw)) return raw;
  const lowered = trim(raw).toLowerCase();
  if (isPlainEmail(lowered)) return lowered;
  const value = normalize('email', lowered, MAX_EMAIL);
  if (typeof value !== 'string') return value;
  if (!EMAIL_SHAPE.test(value)) return EMAIL_INVALID;
  return NOT_BARE.test(value) ? EMAIL_NOT_BARE : value;
}

function isPlainEmail(text: string): boolean {
  return text.length <= MAX_EMAIL && PLAIN_EMAIL.test(text);
}

/**
 * Checks an account's name.
 *
 * @param raw a JSON value or a CSV cell
 * @returns the name trimmed and in NFC, of 1 to 255 code points, with its case and leading zeros; or an error
 *   `identity_missing`, `identity_not_a_string`, `identity_too_long`, `identity_forbidden_character`
 */
export function checkIdentity(raw: unknown): string | ValueError {
  if (typeof raw !== 'string') return notAString('identity', raw);
  return PLAIN_IDENTITY.test(raw) ? raw : normalize('identity', trim(raw), MAX_IDENTITY);
}

/**
 * Checks an integration id in JSON.
 *
 * @param raw a JSON value; a number that is not written in plain digits as a `LosslessNumber`, so that it is rejected
 * @returns an integer from 1 to 2^53−1, or an error `integration_id_missing`, `integration_id_invalid`
 */
export function checkIntegrationId(raw: unknown): number | ValueError {
  if (raw === undefined || raw === null) return missing('integration_id');
  if (isLosslessNumber(raw)) return checkIntegrationLiteral(raw.value);
  if (typeof raw !== 'number') return INTEGRATION_ID_NOT_A_NUMBER;
  if (Number.isSafeInteger(raw) && raw > 0) return raw;
  return Number.isInteger(raw) && raw > 0 ? INTEGRATION_ID_TOO_LARGE : INTEGRATION_ID_OUT_OF_RANGE;
}

/**
 * Checks a JSON number as it was written. `JSON.parse` rounds first: it reads 6.9999999999999999999 as 7.
 *
 * @param literal a JSON number, such as `17` or `1.7e1`
 * @returns an integer from 1 to 2^53−1 that was written in plain digits, or an error `integration_id_invalid`
 */
export function checkIntegrationLiteral(literal: string): number | ValueError {
  if (/^[1-9][0-9]*$/.test(literal)) return parseIntegrationId(literal);
  return /^(0|-[0-9]+)$/.test(literal) ? INTEGRATION_ID_OUT_OF_RANGE : INTEGRATION_ID_NOT_PLAIN;
}

/**
 * Checks an integration id in CSV.
 *
 * @param cell a CSV cell, which is not trimmed: `1e3`, `1.0`, `+5`, `007` and ` 5` are invalid
 * @returns an integer from 1 to 2^53−1, or an error `integration_id_missing`, `integration_id_invalid`
 */
export function parseIntegrationId(cell: string): number | ValueError {
  if (PLAIN_INTEGER.test(cell)) {
    const value = Number(cell);
    return value <= Number.MAX_SAFE_INTEGER ? value : INTEGRATION_ID_TOO_LARGE;
  }
  if (cell.trim() === '') return empty('integration_id');
  if (cell === '0') return INTEGRATION_ID_ZERO;
  return /^[1-9][0-9]*$/.test(cell) ? INTEGRATION_ID_TOO_LARGE : INTEGRATION_ID_INVALID;
}

type TextField = 'email' | 'identity';

function normalize(field: TextField, trimmed: string, limit: number): string | ValueError {
  if (trimmed === '') return empty(field);
  if (trimmed.length > MAX_NORMALIZED) return tooLong(field, limit);
  const value = trimmed.normalize('NFC');
  // For an email, EMAIL_SHAPE rejects white space of any kind.
  const forbidden = FORBIDDEN.exec(value) ?? (field === 'identity' ? LOOK_ALIKE_SPACE.exec(value) : null);
  if (forbidden) return forbiddenCharacter(field, forbidden);
  if (value.length <= limit) return value;
  const length = codePoints(value);
  return length > limit ? tooLong(field, limit, length) : value;
}

function trim(text: string): string {
  return text.replace(LEADING_SPACE, '').trimEnd();
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function notAString(field: TextField, raw: unknown): ValueError {
  if (raw === undefined || raw === null) return missing(field);
  const message =
    typeof raw === 'number'
      ? 'must be a string, not a number. Put it in quotes, so that leading zeros are kept'
      : `must be a string, not ${describe(raw)}`;
  return { code: `${field}_not_a_string`, message };
}

function describe(raw: unknown): string {
  if (Array.isArray(raw)) return 'an array';
  return typeof raw === 'object' ? 'an object' : `a ${typeof raw}`;
}

function missing(what: string): ValueError {
  return { code: `${what}_missing`, message: 'is required' };
}

function empty(what: string): ValueError {
  return { code: `${what}_missing`, message: 'must not be empty' };
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

const EMAIL_INVALID: ValueError = {
  code: 'email_invalid',
  message: 'must be an email address such as `ada@example.com`',
};
const EMAIL_NOT_BARE: ValueError = {
  code: 'email_invalid',
  message:
    'must be a single email address such as `ada@example.com`. Remove quotes, angle brackets, commas, semicolons and ' +
    'prefixes such as `mailto:`',
};
const INTEGRATION_ID_NOT_A_NUMBER: ValueError = {
  code: 'integration_id_invalid',
  message: 'must be an integer, without quotes',
};
const INTEGRATION_ID_INVALID: ValueError = {
  code: 'integration_id_invalid',
  message: 'must be an integer in plain digits, without a sign, a decimal point, spaces or leading zeros',
};
const INTEGRATION_ID_NOT_PLAIN: ValueError = {
  code: 'integration_id_invalid',
  message: 'must be an integer in plain digits, without a decimal point or an exponent',
};
const INTEGRATION_ID_ZERO: ValueError = {
  code: 'integration_id_invalid',
  message: 'must be 1 or greater',
};
const INTEGRATION_ID_OUT_OF_RANGE: ValueError = {
  code: 'integration_id_invalid',
  message: 'must be an integer of 1 or greater',
};
const INTEGRATION_ID_TOO_LARGE: ValueError = {
  code: 'integration_id_invalid',
  message: 'must be at most 9007199254740991, the largest integer that every JSON parser keeps exact',
};
