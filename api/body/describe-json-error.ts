import { parse } from 'lossless-json';

/** Texts of more UTF-16 units are not parsed again: 256 KiB take lossless-json 15 ms, in which no other request is served. */
const MAX_PARSED = 256 * 1024;

/** A place in a text, both from 1; columns are UTF-16 units. */
interface Place {
  line: number;
  column: number;
}

export const ENDS_EARLY = 'The body is not valid JSON: it ends before the document is complete.';

export const syntaxErrorAt = ({ line, column }: Place): string =>
  `The body is not valid JSON: syntax error at line ${line}, column ${column}.`;

/**
 * Returns a message that says where a text stops being JSON. V8 reports the position of some errors only, so lossless-json
 * parses the text again.
 *
 * @param error what `JSON.parse` threw
 * @param start where the text starts in what the client sent
 */
export function describeJsonError(text: string, error: Error, start: Place = { line: 1, column: 1 }): string {
  const found = text.length > MAX_PARSED ? error : (syntaxError(text) ?? error);
  const position = positionIn(found);
  if (endsEarly(error) || endsEarly(found) || position === text.length) return ENDS_EARLY;
  if (position === null) return 'The body is not valid JSON.';
  const before = text.slice(0, position).split('\n');
  const column = (before.at(-1)?.length ?? 0) + (before.length === 1 ? start.column : 1);
  return syntaxErrorAt({ line: start.line + before.length - 1, column });
}

/** Returns the error of lossless-json; null if it finds none, or the text is nested deeper than its stack. */
function syntaxError(text: string): Error | null {
  try {
    parse(text, undefined, { parseNumber: Number, onDuplicateKey: ({ newValue }) => newValue });
    return null;
  } catch (error) {
    return error instanceof SyntaxError ? error : null;
  }
}

const endsEarly = ({ message }: Error): boolean =>
  /reached end of input|end of JSON input|Unterminated string/.test(message);

function positionIn({ message }: Error): number | null {
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? null : Number(position);
}
