import { AMBIGUOUS_WORDS, isSheetError, MISSING_WORDS, NO_TEXT } from '../../text/missing-values.js';
import { isBlank, isInvisible, isObject, type JsonValue, KeyLists } from './json-value.js';
import { toPlainText } from './plain-text.js';

/** Words that stand for "no value" without brackets. */
const BARE = [
  ...MISSING_WORDS,
  '$null',
  'nullptr',
  'map[]',
  'optional.empty',
  'optional(nil)',
  'optional[none]',
  'variable is not defined!',
];

/** Words that stand for it in brackets. Without them, `unknown` and `missing` are states of a service. */
const BRACKETED = [
  ...BARE,
  ...AMBIGUOUS_WORDS,
  'no value',
  'not set',
  'unset',
  'unknown',
  'undef',
  'missing',
  'missing value',
  'invalid value',
  'empty',
  'not available',
  'not applicable',
  'object undefined',
  'object null',
];

const BRACKETS: ReadonlyMap<string, string> = new Map(
  ['<>', '()', '[]', '{}', '**', '""', "''", '``'].map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** Words that are values elsewhere, for example a measurement or a region, but never identify a problem. */
const IN_KEYS = [...AMBIGUOUS_WORDS, 'no value', 'not set', 'not available', 'not applicable'];

/** Dashes and dots that fill an empty field. They identify no problem. */
const FILLER = /^(?:[-–—]{1,5}|\?{1,5}|\.{2,5}|…)$/;

/** What Go prints for a value that is nil, absent or empty: `%!s(<nil>)`, `%!d(string=)`, `%!v(MISSING)`, `%!(NOVERB)`. */
const GO_ERROR =
  /^%!.?\((?:<nil>|missing|noverb|bad(?:index|width|prec)|[\w.*[\]{} ]{1,60}=(?:<nil>| *)|extra [\w.*[\]{}]{0,60}=?(?:<nil>)?)\)$/i;

/** What Go prints for a map whose values are nil. */
const GO_MAP = /^map\[(?:[^\s:[\]]{1,60}:(?:<nil>)? ?){1,20}\]$/;

const NOT_TEXT = new RegExp(`^(?:${NO_TEXT})$`, 'i');

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
const oneOf = (words: readonly string[]): string =>
  [...words]
    .sort((a, b) => b.length - a.length)
    .map(escaped)
    .join('|');

/** Matches words that are joined by separators, such as `null,null` and `None / None`. A part is a word, maybe in brackets. */
function joined(words: readonly string[]): RegExp {
  const part = `(?:(?:${oneOf(words)})|[<([{"'](?:${oneOf(BRACKETED)})[>)\\]}"'])`;
  return new RegExp(`^${part}(?:[\\s,;:|/+&_@=-]{1,5}${part})+$`, 'i');
}

interface Words {
  whole: ReadonlySet<string>;
  joined: RegExp;
}

const wordsOf = (words: readonly string[]): Words => ({ whole: new Set(words), joined: joined(words) });

const WORDS = wordsOf(BARE);
const KEY_WORDS = wordsOf([...BARE, ...IN_KEYS]);
const WORDS_IN_BRACKETS = wordsOf(BRACKETED);

/** Longer texts say something, also with what surrounds a word. */
const [MAX_LENGTH, MAX_PADDED] = [120, 1_000];

/** 1 for the first characters of placeholders and of what may surround them, by their codes. */
const STARTS = new Uint8Array(128);
for (const first of 'jmnosuvJMNOSUV<([{*"\'`%#$\\&-?.\u007f') STARTS[first.charCodeAt(0)] = 1;
STARTS.fill(1, 0, 0x21);

/** 1 for the two letters with which a word starts, see {@link pairOf}. Decides for nearly all texts that start with a letter. */
const PAIRS = new Uint8Array(32 * 32);
for (const word of [...KEY_WORDS.whole, 'system.', 'java', 'microsoft.']) PAIRS[pairOf(word)] = 1;

/** Returns a number below 1024 for the first two characters of a text, the same for upper and lower case. */
function pairOf(text: string): number {
  return ((text.charCodeAt(0) & 31) << 5) | (text.charCodeAt(1) & 31);
}

/** Returns whether a text does not start like a placeholder, which is so for nearly all texts. */
function startsLikeValue(text: string): boolean {
  const first = text.charCodeAt(0);
  return STARTS[first] === 0 || (isLetter(first) && PAIRS[pairOf(text)] === 0);
}

const isLetter = (code: number): boolean => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/**
 * Returns the placeholder that a text is, as plain text: what a sender's software writes when it has no value, such as `<no value>`,
 * `null` or `*UNKNOWN*`. Returns null if it is a value. Two problems with the same placeholder have nothing in common. Ignores case,
 * invisible characters around the word, and how it is encoded. In a key there are a few more of them.
 */
export function placeholderIn(text: string, inKey = false): string | null {
  if (startsLikeValue(text)) return null;
  if (text.length > MAX_PADDED) return null;
  const shown = trimInvisible(text);
  if (shown.length > MAX_LENGTH) return null;
  if (shown === '') return null;
  const word = decoded(shown);
  if (word === '') return shown;
  return isNothing(word, inKey ? KEY_WORDS : WORDS) || (inKey && FILLER.test(word)) ? word : null;
}

function trimInvisible(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isInvisible(text.charCodeAt(start))) start += 1;
  while (end > start && isInvisible(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const ESCAPE = /\\u([\da-f]{4})/gi;

/** Decodes HTML, also what was encoded twice, and the escapes of JSON. */
function decoded(text: string): string {
  if (!text.includes('&') && !text.includes('\\u')) return text;
  const unescaped = text.replace(ESCAPE, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return trimInvisible(toPlainText(toPlainText(unescaped)));
}

function isNothing(word: string, words: Words): boolean {
  if (startsLikeValue(word)) return false;
  if (words.whole.has(word.toLowerCase()) || words.joined.test(word)) return true;
  switch (word[0]) {
    case '%':
      return GO_ERROR.test(word);
    case '#':
      return isSheetError(word);
    case 'm':
      return GO_MAP.test(word) || NOT_TEXT.test(word);
    default:
      return NOT_TEXT.test(word) || isNothingInBrackets(word) || isEmptyJson(word);
  }
}

function isNothingInBrackets(word: string): boolean {
  const close = BRACKETS.get(word.charAt(0));
  if (close === undefined || word.length < 2 || !word.endsWith(close)) return false;
  const inner = trimInvisible(word.slice(1, -1));
  return inner === '' || isNothing(inner, WORDS_IN_BRACKETS);
}

/** Matches a text that may be JSON. Parsing a title such as `[FIRING:1] High CPU` would throw. */
const JSON_TEXT = /^(?:\[\s*["{[n].*\]|\{\s*".*\})$/s;

function isEmptyJson(word: string): boolean {
  if (!JSON_TEXT.test(word)) return false;
  try {
    return isHollow(JSON.parse(word), isNothingOrBlank);
  } catch {
    return false;
  }
}

export const isNothingOrBlank = (leaf: JsonValue): boolean =>
  isBlank(leaf) || (typeof leaf === 'string' && placeholderIn(leaf) !== null);

/**
 * Returns whether none of the leaves of a list or an object has a value.
 * @param isNothing decides about a leaf
 * @param keys lists the keys of large objects once, if it is given
 */
export function isHollow(
  value: JsonValue,
  isNothing: (leaf: JsonValue) => boolean,
  keys = new KeyLists(),
): boolean {
  if (Array.isArray(value)) return value.every((element) => isHollow(element, isNothing, keys));
  if (!isObject(value)) return isNothing(value);
  return keys.of(value).every((key) => isHollow(value[key] ?? null, isNothing, keys));
}

/** Returns whether a text names a placeholder: it is the word, or contains it between other characters than letters and digits. */
export function namesWord(text: string, placeholder: string): boolean {
  const [whole, word] = [text.toLowerCase(), placeholder.trim().toLowerCase()];
  if (word === '') return false;
  for (let at = whole.indexOf(word); at >= 0; at = whole.indexOf(word, at + 1)) {
    const [before, after] = [whole[at - 1] ?? '', whole[at + word.length] ?? ''];
    if (!ALPHANUMERIC.test(before) && !ALPHANUMERIC.test(after)) return true;
  }
  return false;
}

const ALPHANUMERIC = /[\p{L}\p{N}]/u;
