import type { JsonFault } from '../../workers/json/find-json-fault.js';
import { isSpace } from '../../workers/json/marks.js';

/** Why a text is not JSON, as far as that can be seen, and where. */
export interface JsonCause {
  /** The offset in bytes. */
  at: number;
  /** What is wrong and how to write it. Null if that cannot be seen. */
  message: string | null;
}

/** How far around a fault the text is read. */
const WINDOW = 100;
const WORD = /^[A-Za-z_$][\w$.-]{0,39}/;
const ESCAPE_QUOTE = 'write it as \\"';

/** Words that other languages write as values, and what JSON has instead. */
const FOREIGN_WORDS: Record<string, string> = {
  NaN: 'null',
  Infinity: 'null',
  undefined: 'null',
  None: 'null',
  nil: 'null',
  NULL: 'null',
  True: 'true',
  TRUE: 'true',
  False: 'false',
  FALSE: 'false',
};

/** Returns the likely cause of a fault in a text. Most of them are from templates that write JSON without escaping values. */
export function jsonCause(text: Buffer, { at, expected }: JsonFault): JsonCause {
  const rest = text.toString('utf8', at, at + WINDOW);
  const before = lastBefore(text, at);
  const mark = before < 0 ? '' : String.fromCharCode(text[before] as number);
  if (expected === 'in string') return { at, message: inString(rest) };
  const message = betweenMarks(rest, mark) ?? anywhere(rest);
  if (message !== null) return { at, message };
  if (expected === 'comma' || expected === 'colon') return afterValue(rest, { at, before, mark }, expected);
  if (expected === 'end') return { at, message: afterDocument(rest) };
  const isKey = expected === 'key' || expected === 'first key';
  return { at, message: isKey ? inKey(rest) : inValue(rest) };
}

function afterDocument(rest: string): string {
  if (rest.startsWith(';')) return 'Remove this semicolon: the document ends before it.';
  if (/^[}\]]/.test(rest)) return 'Remove this bracket: all brackets are closed before it.';
  return 'The document ends before this. Send one document, or several as an array; NDJSON has one in each line.';
}

/** Returns the offset of the last byte before `at` that is not a space; -1 if there is none. */
function lastBefore(text: Buffer, at: number): number {
  let before = at - 1;
  while (before >= 0 && isSpace(text[before] as number)) before--;
  return before;
}

function inString(rest: string): string {
  const code = rest.charCodeAt(0);
  if (code === 0x0a || code === 0x0d)
    return 'A text contains a raw line break. Write it as \\n, or add the missing quote at its end.';
  if (code === 0x09) return 'A text contains a raw tab. Write it as \\t.';
  if (code !== 0x5c)
    return `A text contains a raw control character. Write it as \\u${code.toString(16).padStart(4, '0')}.`;
  return 'This backslash begins no escape of JSON. Write a backslash as \\\\.';
}

/** Returns what is wrong between a mark and the next one, or null. */
function betweenMarks(rest: string, mark: string): string | null {
  if (mark === ',' && /^[}\]]/.test(rest))
    return 'Remove the comma before this: the last entry must not be followed by one.';
  if (mark !== '' && ',[{'.includes(mark) && rest.startsWith(','))
    return 'Remove this comma: an entry is missing before it.';
  if (mark === ':' && /^[,}\]]/.test(rest))
    return 'A value is missing before this. Write null, or "" for an empty text.';
  return null;
}

/** What JSON has nowhere outside texts. */
const NOWHERE: readonly [start: RegExp, message: string][] = [
  [/^'/, 'JSON has no single quotes. Write keys and texts in double quotes; in Python, use json.dumps.'],
  [/^[“”„«»‘’‚]/, 'This is a typographic quote. Write keys and texts in double quotes (").'],
  [
    /^&(?:quot|apos|amp|lt|gt|#\w{1,8});/i,
    'This is escaped for HTML. Send the document without escapes such as &quot;.',
  ],
  [/^\/[/*]/, 'JSON has no comments. Remove it.'],
  [/^</, 'This is XML or HTML rather than JSON.'],
  [/^\0/, 'If the body is UTF-16, declare it: `Content-Type: application/json; charset=utf-16`.'],
];
/** White space to people and programs, but not to JSON. */
const OTHER_SPACE = /^[\f\v\u0085\u00a0\u1680\u2000-\u200f\u2028\u2029\u202f\u205f\u2060\u3000\ufeff]/;

function anywhere(rest: string): string | null {
  const found = NOWHERE.find(([start]) => start.test(rest));
  if (found) return found[1];
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
  if (expected === 'comma' && !/^["{}[\],:]/.test(rest))
    return { at: before, message: `This quote ends the text. If it belongs to the text, ${ESCAPE_QUOTE}.` };
  return {
    at,
    message: `A ${expected} is missing before this, or a text before it contains a quote: ${ESCAPE_QUOTE}.`,
  };
}

function inKey(rest: string): string | null {
  const word = WORD.exec(rest)?.[0];
  if (word !== undefined) return `The key \`${word}\` is not in double quotes.`;
  if (/^[-\d]/.test(rest))
    return 'Write numbers with a decimal point rather than a comma. If this is another value, it needs a key.';
  if (rest.startsWith('{'))
    return 'If this is a variable of a template, such as {{name}}, it was not replaced.';
  return null;
}

function inValue(rest: string): string | null {
  const word = WORD.exec(rest.replace(/^[+-]/, ''))?.[0];
  const instead = word === undefined ? undefined : FOREIGN_WORDS[word];
  if (instead !== undefined) return `JSON has no \`${word}\`. Write ${instead}, or a text in double quotes.`;
  if (/^[+.\d-]/.test(rest)) return 'This is not a number of JSON, which are written like -1, 0.5 and 1e9.';
  return word === undefined ? null : 'A text is not in double quotes.';
}
