/** Beyond this many characters the place is not looked for: each look parses the text, and nobody else may wait for that. */
const MAX_SEARCHED = 256 * 1024;

/** A place in a text, both from 1; columns are UTF-16 units. */
interface Place {
  line: number;
  column: number;
}

/** Says of a text that ends too early that it does. */
export const brokenOff = 'it breaks off before its end';

export const placeInJson = ({ line, column }: Place): string =>
  `it goes wrong at line ${line}, column ${column}`;

/**
 * Says in words where a text stops being JSON. V8 tells the position for some faults only; for the rest it is searched.
 *
 * @param error what `JSON.parse` threw
 * @param start where the text starts in what the client sent
 */
export function whereInJson(text: string, error: Error, start: Place = { line: 1, column: 1 }): string {
  if (isCutOff(error, text.length)) return brokenOff;
  const position = positionIn(error) ?? searchPosition(text);
  if (position === null) return 'it goes wrong somewhere';
  const before = text.slice(0, position).split('\n');
  const column = (before.at(-1)?.length ?? 0) + (before.length === 1 ? start.column : 1);
  return placeInJson({ line: start.line + before.length - 1, column });
}

/** The shortest beginning of the text that is wrong, and not only cut off, ends with the fault. */
function searchPosition(text: string): number | null {
  if (text.length > MAX_SEARCHED) return null;
  let good = 0;
  let wrong = text.length;
  while (good + 1 < wrong) {
    const middle = (good + wrong) >> 1;
    if (mayGoOn(text.slice(0, middle))) good = middle;
    else wrong = middle;
  }
  return good;
}

function mayGoOn(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    return isCutOff(error as Error, beginning.length);
  }
}

const isCutOff = (error: Error, length: number): boolean =>
  /end of JSON input|Unterminated string/.test(error.message) || positionIn(error) === length;

function positionIn({ message }: Error): number | null {
  const position = /at position (\d+)/.exec(message)?.[1];
  return position === undefined ? null : Number(position);
}
