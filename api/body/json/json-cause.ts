import type { JsonFault } from '../../../workers/json/find-json-fault.js';
import { BACKSLASH, isSpace, QUOTE } from '../../../workers/json/marks.js';
import { AFTER_DOCUMENT, ANYWHERE, type Cause, IN_STRING, KEYS, NUMBERS, VALUES } from './json-causes.js';

/** Why a text is not JSON, as far as that can be seen, and where. */
export interface JsonCause {
  /** The offset in bytes. */
  at: number;
  /** What is wrong and how to write it. Null if that cannot be seen. */
  message: string | null;
  /** The offset of the opening quote of the text that the message is about. */
  textAt?: number;
}

/** How far around a fault the text is read. */
const WINDOW = 100;
/** How much of a text is searched for a typographic quote at its end. */
const MAX_TEXT = 4_096;
const ESCAPE_QUOTE = 'write it as \\"';

/** Returns the likely cause of a fault in a text. Most of them are from templates that write JSON without escaping values. */
export function jsonCause(text: Buffer, fault: JsonFault): JsonCause {
  const { at, expected } = fault;
  if (at === text.length && expected !== 'in string') return { at, message: null };
  const rest = text.toString('utf8', at, at + WINDOW);
  const before = lastBefore(text, at);
  const mark = before < 0 ? '' : String.fromCharCode(text.readUInt8(before));
  const isAfterText = (expected === 'comma' || expected === 'colon') && mark === '"';
  const textAt = expected === 'in string' || isAfterText ? openingQuote(text, at) : undefined;
  const wrongEnd = textAt === undefined ? null : wrongEndOf(text, textAt, at);
  if (wrongEnd) return wrongEnd;
  if (expected === 'in string')
    return { at, message: messageFor([IN_STRING], rest), ...(textAt !== undefined && { textAt }) };
  const number = numberAt(text, at);
  const message = (number && messageFor([NUMBERS], number.text)) ?? null;
  if (number && message !== null) return { at: number.at, message };
  const anywhere = messageFor([ANYWHERE], rest, mark) ?? otherSpace(rest);
  if (anywhere !== null) return { at, message: anywhere };
  if (expected === 'comma' || expected === 'colon')
    return { ...afterValue(rest, { at, before, mark }, expected), ...(textAt !== undefined && { textAt }) };
  const isKey = expected === 'key' || expected === 'first key';
  return {
    at,
    message: messageFor([expected === 'end' ? AFTER_DOCUMENT : isKey ? KEYS : VALUES], rest, mark),
  };
}

/** Returns what the first cause of a table says that fits; null if none does. */
function messageFor(tables: readonly (readonly Cause[])[], rest: string, mark = ''): string | null {
  for (const { after, rest: pattern, says } of tables.flat()) {
    const found = after === undefined || after.test(mark) ? pattern.exec(rest) : null;
    if (found) return typeof says === 'string' ? says : says(found[0]);
  }
  return null;
}

/** Returns the offset of the last byte before `at` that is not a space; -1 if there is none. */
function lastBefore(text: Buffer, at: number): number {
  let before = at - 1;
  while (before >= 0 && isSpace(text[before] ?? 0)) before--;
  return before;
}

/** Returns where the last text before an offset begins; `undefined` if there is none. */
function openingQuote(text: Buffer, end: number): number | undefined {
  let opened: number | undefined;
  for (let at = 0; at < end; at++) {
    if (text[at] !== QUOTE) continue;
    opened = at++;
    while (at < end && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  }
  return opened;
}

/** What follows the end of a text in JSON: a mark, and then a value or the end. */
const AFTER_TEXT = /^\s*(?:[,:]\s*["{[\d\-tfn]|[}\]]\s*(?:$|[,}\]]))/;
const TYPOGRAPHIC_END = /[“”„‟″＂»’]\s*[,:}\]]/;

/** Returns why a text does not end where its writer meant it to, or null: the last quote of `"C:\"` is escaped, or it is typographic. */
function wrongEndOf(text: Buffer, textAt: number, end: number): JsonCause | null {
  for (let at = textAt + 1; at < end; at++) {
    if (text[at] !== BACKSLASH) continue;
    if (text[at + 1] === QUOTE) {
      // A writer who escapes quotes knows what a backslash does, so only the first one counts.
      const follows = text.toString('utf8', at + 2, at + 2 + WINDOW);
      if (!AFTER_TEXT.test(follows)) break;
      return {
        at,
        message: 'This backslash escapes the quote at the end of a text. Write a backslash as \\\\.',
        textAt,
      };
    }
    at++;
  }
  const content = text.toString('utf8', textAt, Math.min(end, textAt + MAX_TEXT));
  const quote = TYPOGRAPHIC_END.exec(content);
  if (!quote) return null;
  const message = 'This typographic quote ends no text. Write keys and texts in double quotes (").';
  return { at: textAt + Buffer.byteLength(content.slice(0, quote.index)), message, textAt };
}

/** Returns what looks like a number and contains the byte at an offset, or null. */
function numberAt(text: Buffer, at: number): { at: number; text: string } | null {
  const before = text.toString('latin1', Math.max(0, at - WINDOW), at);
  const lead = before.split(/[^\w.+-]/).at(-1) ?? '';
  const trail = /^[\w.+-]*/.exec(text.toString('latin1', at, at + WINDOW))?.[0] ?? '';
  const token = lead + trail;
  return /^[+-]?\.?\d/.test(token) ? { at: at - lead.length, text: token.slice(0, WINDOW) } : null;
}

/** White space to people and programs, but not to JSON. */
const OTHER_SPACE = /^[\f\v\u0085\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/;

function otherSpace(rest: string): string | null {
  if (!OTHER_SPACE.test(rest)) return null;
  const code = rest.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
  const name = code === 'FEFF' ? 'a byte order mark' : 'a special space or an invisible character';
  return `This is ${name} (U+${code}). Remove it, or write an ordinary space.`;
}

interface Position {
  at: number;
  before: number;
  mark: string;
}

function afterValue(rest: string, { at, before, mark }: Position, expected: 'comma' | 'colon'): JsonCause {
  const instead = /^(?:;|=>?)/.exec(rest)?.[0];
  if (instead !== undefined) return { at, message: `Write a ${expected} in place of \`${instead}\`.` };
  if (expected === 'comma' && /^[}\]]/.test(rest))
    return { at, message: `A ${rest.startsWith('}') ? ']' : '}'} is missing before this.` };
  if (mark !== '"')
    return { at, message: 'A comma is missing before this, or a text is not in double quotes.' };
  // Between a quote that ends a text too early and the next mark there are words of the text.
  if (expected === 'comma' && !/^["{}[\],:]/.test(rest)) {
    const message = `This quote ends the text. If it belongs to the text, ${ESCAPE_QUOTE}; if it begins the next one, the end quote before it is missing.`;
    return { at: before, message };
  }
  return {
    at,
    message: `A ${expected} is missing before this, or a text before it contains a quote: ${ESCAPE_QUOTE}.`,
  };
}
