import { findJsonFault, type JsonFault } from '../../workers/json/find-json-fault.js';
import { jsonCause } from './json-cause.js';

/** A place in a text, both from 1; columns are UTF-16 units. */
interface Place {
  line: number;
  column: number;
}

const START: Place = { line: 1, column: 1 };
const NEWLINE = 0x0a;

export const ENDS_EARLY = 'The body is not valid JSON: it ends before the document is complete.';

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
