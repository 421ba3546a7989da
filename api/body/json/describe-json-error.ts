import { findJsonFault, type JsonFault } from '../../../workers/json/find-json-fault.js';
import { byteOrderMark } from '../../../workers/text/byte-order-mark.js';
import { fileFormatOf } from '../../../workers/text/file-formats.js';
import { jsonCause } from './json-cause.js';

/** A place in a text, both from 1; columns are UTF-16 units. */
interface Place {
  line: number;
  column: number;
}

const START: Place = { line: 1, column: 1 };
const NEWLINE = 0x0a;

export const ENDS_EARLY = 'The body is not valid JSON: it ends before the document is complete.';

export const notUtf8 = (what: string): string =>
  `${what} is not valid UTF-8. Send JSON as UTF-8; other charsets, such as ISO-8859-1, are not accepted.`;

const shown = ({ line, column }: Place): string => `line ${line}, column ${column}`;

export const syntaxErrorAt = (place: Place): string =>
  `The body is not valid JSON: syntax error at ${shown(place)}.`;

/**
 * Returns a message that says where and, if it can be seen, why a text is not JSON.
 * @param start where the text starts in what the client sent
 */
export function describeJsonError(text: string, start = START): string {
  const bytes = Buffer.from(text);
  const fault = findJsonFault(bytes);
  return fault === null ? ENDS_EARLY : describeJsonFault(bytes, fault, start);
}

/** Returns the message of a fault in UTF-8 bytes. */
export function describeJsonFault(text: Buffer, fault: JsonFault, start = START): string {
  const { at, message, textAt } = jsonCause(text, fault);
  const textStart = textAt === undefined ? '' : ` The text starts at ${shown(placeOf(text, textAt, start))}`;
  if (at === text.length)
    return textStart === '' ? ENDS_EARLY : `${ENDS_EARLY}${textStart} and has no end quote.`;
  const where = syntaxErrorAt(placeOf(text, at, start));
  return message === null ? where : `${where} ${message}${textStart && `${textStart}.`}`;
}

/** Zero bytes among the first four of JSON, which starts with two characters of ASCII (RFC 4627 §3). */
const WIDE: readonly [zeros: RegExp, charset: string][] = [
  [/^0001/, 'utf-32be'],
  [/^1000/, 'utf-32le'],
  [/^01/, 'utf-16be'],
  [/^10/, 'utf-16le'],
];

/**
 * Returns what a body is that cannot be JSON in UTF-8, judged by its first bytes, and what to do; null if it may be.
 * @param head the first four bytes or more
 */
export function describeForeignBytes(head: Buffer): string | null {
  const format = fileFormatOf(head);
  if (format) return `The body is ${format.name}. Send JSON.`;
  const zeros = [...head.subarray(0, 4)].map((byte) => (byte === 0 ? 0 : 1)).join('');
  const mark = byteOrderMark(head)?.encoding ?? WIDE.find(([pattern]) => pattern.test(zeros))?.[1] ?? 'utf-8';
  return mark === 'utf-8' ? null : `The body is in ${mark.toUpperCase()}. Send JSON as UTF-8.`;
}

function placeOf(text: Buffer, at: number, start: Place): Place {
  let lines = 0;
  let lineStart = 0;
  for (let i = 0; i < at; i++) {
    if (text[i] !== NEWLINE) continue;
    lines++;
    lineStart = i + 1;
  }
  const column = text.toString('utf8', lineStart, at).length + (lines === 0 ? start.column : 1);
  return { line: start.line + lines, column };
}
