/**
 * The rules for a developer identity, the same for JSON and CSV.
 *
 * Each check returns the normalized value, which is a string or a number, or a {@link ValueError}, which is an
 * object. Nothing is thrown and nothing is allocated for a valid value, because an import checks a million rows
 * twice.
 */

import { missing, type ValueError } from './errors.js';
import { isLostValue, lostValue } from './lost-value.js';
import { normalizeText, type TextField, trim } from './normalize-text.js';

export type IdentityRecord = { email: string; integrationId: number; identity: string };

/** In code points. RFC 5321 §4.5.3.1.3 allows a path of 256 octets, two of them its angle brackets. */
const MAX_EMAIL = 254;

/** In code points, as the column counts them. */
const MAX_IDENTITY = 255;

/** In code points. RFC 5321 §4.5.3.1.1 has octets; in code points no address is rejected that some system takes. RFC 1035 §2.3.4 has labels of 63. */
const MAX_LOCAL = 64;
const LONG_PART = /^[^@]{65}|[@.][^@.]{64}/u;

/** Match most rows, up to {@link MAX_LOCAL} characters. The slow path would return these values unchanged. */
const PLAIN_EMAIL =
  /^[!#-'*+\-/0-9=?[\]^-~]+(?:\.[!#-'*+\-/0-9=?[\]^-~]+)*@[a-z0-9_]+(?:-+[a-z0-9_]+)*(?:\.[a-z0-9_]+(?:-+[a-z0-9_]+)*)*$/;
const PLAIN_IDENTITY = /^[!-~](?:[ -~]{0,253}[!-~])?$/;
const EMAIL_SHAPE = /^[^@\s]+@[^@\s]+$/;
const MISPLACED_DOT = /^\.|\.\.|\.@|@\.|\.$/;
/**
 * RFC 5321 §4.1.2 and RFC 6531 §3.3: a local part, in quotes or not, and a domain or an address in brackets. Brackets in a local part are accepted, because
 * GitHub's bots have them: `12+dependabot[bot]@users.noreply.github.com`.
 */
const ADDRESS =
  /^(?:[^"(),:;<>@\\]+|"(?:[^"\\]|\\.)+")@(?:\[[0-9a-z.:]+\]|(?:(?!-)[a-z0-9_\p{L}\p{M}\p{N}\u00b7\u30fb-]+(?<!-)(?:\.|$))+)$/u;

/**
 * Characters that lists, mail programs and web pages put around an address. An address may not contain them in these
 * places.
 */
const NOT_BARE = /[<>,;]|^[a-z][a-z0-9+.-]*:|:\/\/|@[^@]*['"]/;

/**
 * Checks an email address.
 *
 * @param raw a JSON value or a CSV cell
 * @returns the address trimmed, lower-cased and in NFC, of 1 to 254 code points that a mail system takes, without
 *   white space and forbidden characters; or an error `email_missing`, `email_not_a_string`,
 *   `email_too_long`, `email_forbidden_character`, `email_invalid`, `email_damaged`
 */
export function checkEmail(raw: unknown): string | ValueError {
  if (typeof raw !== 'string') return notAString('email', raw);
  if (isPlainEmail(raw)) return raw;
  const trimmed = trim(raw);
  const lowered = trimmed.toLowerCase();
  if (isPlainEmail(lowered)) return lowered;
  return isLostValue(trimmed) ? lostValue('email', trimmed) : checkAddress(lowered);
}

function checkAddress(lowered: string): string | ValueError {
  const value = normalizeText('email', lowered, MAX_EMAIL);
  if (typeof value !== 'string') return value;
  if (!EMAIL_SHAPE.test(value)) return EMAIL_INVALID;
  if (NOT_BARE.test(value)) return EMAIL_NOT_BARE;
  // Within quotes dots may be anywhere.
  if (MISPLACED_DOT.test(value.startsWith('"') ? value.slice(value.indexOf('@')) : value)) return EMAIL_DOTS;
  if (LONG_PART.test(value)) return EMAIL_LONG_PART;
  return ADDRESS.test(value) ? value : EMAIL_CHARACTERS;
}

function isPlainEmail(text: string): boolean {
  return text.length <= MAX_LOCAL && PLAIN_EMAIL.test(text);
}

/**
 * Checks an account's name.
 *
 * @param raw a JSON value or a CSV cell
 * @param keepsLost whether a value that a spreadsheet lost is accepted
 * @returns the name trimmed and in NFC, of 1 to 255 code points, with its case and leading zeros; or an error
 *   `identity_missing`, `identity_not_a_string`, `identity_too_long`, `identity_forbidden_character`, `identity_damaged`
 */
export function checkIdentity(raw: unknown, keepsLost = true): string | ValueError {
  if (typeof raw !== 'string') return notAString('identity', raw);
  const value = PLAIN_IDENTITY.test(raw) ? raw : normalizeText('identity', trim(raw), MAX_IDENTITY);
  return keepsLost || typeof value === 'object' || !isLostValue(value) ? value : lostValue('identity', value);
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

const emailInvalid = (message: string): ValueError => ({ code: 'email_invalid', message });

const EMAIL_INVALID = emailInvalid('must be an email address such as `ada@example.com`');
const EMAIL_DOTS = emailInvalid(
  'must not have two dots in a row, or a dot at the start or end of the name or the domain',
);
const EMAIL_LONG_PART = emailInvalid(
  'must have at most 64 characters before the `@`, and at most 63 between the dots of the domain',
);
const EMAIL_CHARACTERS = emailInvalid(
  'must be an address that mail systems take: no backslash or parenthesis, quotes only around the whole name, and only letters, digits, `.`, `_` and, between them, `-` in the domain',
);
const EMAIL_NOT_BARE = emailInvalid(
  'must be a single email address such as `ada@example.com`. Remove quotes, angle brackets, commas, semicolons and ' +
    'prefixes such as `mailto:`',
);
