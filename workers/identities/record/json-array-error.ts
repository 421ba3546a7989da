import { FileError } from './errors.js';

/** A place in a document. Both from 1; columns are UTF-16 units. */
export interface TextPlace {
  line: number;
  column: number;
}

export type JsonArrayProblem = 'cut_off' | 'empty' | 'malformed' | 'not_an_array' | 'not_utf8' | 'too_deep';

const CODES: Record<JsonArrayProblem, string> = {
  cut_off: 'malformed_json',
  empty: 'empty_body',
  malformed: 'malformed_json',
  not_an_array: 'not_an_array',
  not_utf8: 'malformed_json',
  too_deep: 'too_deep',
};

/** The document is not a JSON array that can be read. */
export class JsonArrayError extends FileError {
  readonly problem: JsonArrayProblem;
  readonly line: number;
  readonly column: number;
  /** A text that `JSON.parse` rejects for the same reason; null if there is no such text. */
  readonly text: string | null;
  /** Where that text would have to start in the document for its error to be at its place. */
  readonly textStart: TextPlace;

  constructor(problem: JsonArrayProblem, place: TextPlace, text: string | null = null, textStart = place) {
    const { line, column } = place;
    super(CODES[problem], `not a JSON array: ${problem} at line ${line}, column ${column}`);
    this.problem = problem;
    this.line = line;
    this.column = column;
    this.text = text;
    this.textStart = { ...textStart };
  }
}

/** Returns the place after a text that starts at this place. */
export function advanced({ line, column }: TextPlace, text: string): TextPlace {
  const last = text.lastIndexOf('\n');
  if (last < 0) return { line, column: column + text.length };
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return { line: line + lines, column: text.length - last };
}

/** Returns the place of the bracket that is put before an element. */
export const before = ({ line, column }: TextPlace): TextPlace => ({ line, column: column - 1 });
