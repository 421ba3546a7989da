import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  isSpace,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from './marks.js';

const [COLON, MINUS, PLUS, DOT, ZERO, NINE, SPACE, LOWER_U] = [
  0x3a, 0x2d, 0x2b, 0x2e, 0x30, 0x39, 0x20, 0x75,
];
/** `e` and `E` differ only in this bit, and so do the hex digits. */
const CASE = 0x20;
const [LOWER_A, LOWER_E, LOWER_F] = [0x61, 0x65, 0x66];
/** What may follow a backslash in a string, besides `u`: `"`, `\`, `/`, `b`, `f`, `n`, `r` and `t`. */
const ESCAPES: readonly number[] = [0x22, 0x5c, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74];
const [TRUE, FALSE, NULL] = [Buffer.from('true'), Buffer.from('false'), Buffer.from('null')];

/** What JSON requires at a place. `first value` and `first key` may also be the end of an empty array or object. */
export type Expected =
  | 'value'
  | 'first value'
  | 'key'
  | 'first key'
  | 'colon'
  | 'comma'
  | 'end'
  | 'in string';

/** The place where a text stops being JSON. */
export interface JsonFault {
  /** The offset in bytes. It is the length of the text if that ends early. */
  at: number;
  /** What had to be there. `depth` and `values`: the text exceeds a limit. */
  expected: Expected | 'depth' | 'values';
}

/** The most levels of brackets, and the most values. */
interface Limits {
  maxDepth?: number;
  maxValues?: number;
}

/**
 * Returns the first place at which UTF-8 bytes are not JSON as `JSON.parse` reads it, or null if they are one document. It makes no
 * values and stops at the first fault, so any text costs about as much a byte. `JSON.parse` takes 20 times as long for a text of
 * many distinct keys as for alerts of the same size.
 */
export function findJsonFault(
  text: Uint8Array,
  { maxDepth = Number.POSITIVE_INFINITY, maxValues = Number.POSITIVE_INFINITY }: Limits = {},
): JsonFault | null {
  const { length } = text;
  const open: number[] = [];
  let closing = 0;
  let expected: Expected = 'value';
  let values = 0;
  for (let at = 0; ; ) {
    while (at < length && (text[at] as number) <= SPACE && isSpace(text[at] as number)) at++;
    if (at === length) return expected === 'end' ? null : { at, expected };
    const code = text[at] as number;
    if (expected === 'comma') {
      if (code === COMMA) {
        expected = closing === CLOSE_ARRAY ? 'value' : 'key';
        at++;
        continue;
      }
    } else if (expected === 'colon') {
      if (code !== COLON) return { at, expected };
      expected = 'value';
      at++;
      continue;
    } else if (expected === 'key' || expected === 'first key') {
      if (code === QUOTE) {
        const end = stringEnd(text, at + 1);
        if (end < 0) return { at: ~end, expected: 'in string' };
        expected = 'colon';
        at = end;
        continue;
      }
    } else if (expected !== 'end') {
      if (++values > maxValues) return { at, expected: 'values' };
      if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
        if (open.push(closing) > maxDepth) return { at, expected: 'depth' };
        closing = code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY;
        expected = code === OPEN_OBJECT ? 'first key' : 'first value';
        at++;
        continue;
      }
      let end: number;
      if (code === QUOTE) {
        end = stringEnd(text, at + 1);
        if (end < 0) return { at: ~end, expected: 'in string' };
      } else end = code === MINUS || isDigit(code) ? numberEnd(text, at) : wordEnd(text, at);
      if (end > at) {
        expected = closing === 0 ? 'end' : 'comma';
        at = end;
        continue;
      }
    }
    // Only a closing bracket is left. It may not follow a comma.
    if (code !== closing || expected === 'value' || expected === 'key' || closing === 0)
      return { at, expected };
    closing = open.pop() as number;
    expected = closing === 0 ? 'end' : 'comma';
    at++;
  }
}

/** Returns the offset after the closing quote of a string, or `~offset` of what may not be in it. */
function stringEnd(text: Uint8Array, start: number): number {
  const { length } = text;
  for (let at = start; at < length; at++) {
    const code = text[at] as number;
    if (code === QUOTE) return at + 1;
    if (code < SPACE) return ~at;
    if (code !== BACKSLASH) continue;
    const escaped = text[at + 1] as number;
    if (escaped === LOWER_U) {
      for (let digit = at + 2; digit < at + 6; digit++)
        if (!isHex(text[digit] as number)) return ~Math.min(at, length);
      at += 5;
    } else if (ESCAPES.includes(escaped)) at += 1;
    else return at + 1 === length ? ~length : ~at;
  }
  return ~length;
}

/** Returns the offset after a number, or its own if it is not one. */
function numberEnd(text: Uint8Array, start: number): number {
  let at = text[start] === MINUS ? start + 1 : start;
  if (text[at] === ZERO) at++;
  else at = digitsEnd(text, at, start);
  if (at === start || at >= text.length) return at;
  if (text[at] === DOT) at = digitsEnd(text, at + 1, start);
  if (at > start && ((text[at] as number) | CASE) === LOWER_E) {
    const sign = text[at + 1];
    at = digitsEnd(text, at + (sign === PLUS || sign === MINUS ? 2 : 1), start);
  }
  return at;
}

/** Returns the offset after at least one digit, or `otherwise`. */
function digitsEnd(text: Uint8Array, start: number, otherwise: number): number {
  let at = start;
  for (; at < text.length; at++) {
    const code = text[at] as number;
    if (code < ZERO || code > NINE) break;
  }
  return at > start ? at : otherwise;
}

/** Returns the offset after `true`, `false` or `null`, or its own. */
function wordEnd(text: Uint8Array, start: number): number {
  const code = text[start];
  const word = code === NULL[0] ? NULL : code === TRUE[0] ? TRUE : FALSE;
  for (let i = 0; i < word.length; i++) if (text[start + i] !== word[i]) return start;
  return start + word.length;
}

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

const isHex = (code: number): boolean =>
  isDigit(code) || ((code | CASE) >= LOWER_A && (code | CASE) <= LOWER_F);
