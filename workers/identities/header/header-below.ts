import { FileError } from '../record/errors.js';
import { type ColumnChoice, candidatesIn, countFields } from './find-columns.js';
import { chooseDelimiter, hasBadQuotes, splitHeader } from './names.js';
import { ONE_LINE, type Preamble, recordsIn, splitFirstLine } from './preamble.js';
import { countLineBreaks } from './quotes.js';

/** A header record as it was found, and whether the charset of the file is unknown. */
export type HeaderRecord = Omit<Preamble, 'bodyStart' | 'bodyLine'> & {
  isAssumedUtf8: boolean;
  encoding: string;
};

/** Lines below a header record that is not understood, in which the header is looked for. A line takes up to 80 µs. */
const MAX_LINES_ABOVE = 200;

/**
 * Returns what a function reads from the header record.
 *
 * @throws FileError what the function throws; if a line below names more fields, an error that says to delete the lines above it; if the file
 *   is a single line, an error that says why
 */
export function unlessBelow<Result>(record: HeaderRecord, choice: ColumnChoice, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw headerBelow(record, choice, error) ?? (isOneLine(record) ? ofOneLine(error) : error);
  }
}

const isOneLine = ({ bytes, line, below }: HeaderRecord): boolean =>
  line === 1 && below.length === 0 && countLineBreaks(bytes) === 0;

function ofOneLine({ code, message, errors, candidates }: FileError): FileError {
  return new FileError(code, `${message}. ${ONE_LINE}`, errors, candidates ? { candidates } : {});
}

/** The line that Microsoft Entra writes above a header whose names are not known. */
const VERSION = /^"?version:v?\d[\d.]*"?[,;\t|\s]*$/i;

/** Programs write a title, an empty row or a version above the header: "User report", `version:v1.0`. */
function headerBelow(record: HeaderRecord, choice: ColumnChoice, { code }: FileError): FileError | null {
  const { bytes, line, below } = record;
  const lines = (text: Buffer, first: number) => () => namesIn(text, first, record, choice);
  const breaks = countLineBreaks(bytes);
  const afterRecord = lines(below, line + breaks + 1);
  // The quotes of a title may seem to be a pair: `Report for 5" screens`.
  const afterLine = lines(Buffer.concat([splitFirstLine(bytes).rest, LINE_BREAK, below]), line + 1);
  const isVersion = VERSION.test(bytes.toString('latin1'));
  const names =
    headerIn(afterRecord(), record, choice) ??
    (breaks > 0 ? headerIn(afterLine(), record, choice) : null) ??
    (isVersion ? firstIn(afterRecord()) : null);
  return names && linesAbove(line, names.line, code, names.names);
}

const LINE_BREAK = Buffer.from('\n');

interface LineOfNames {
  names: string[];
  /** The physical line, from 1. */
  line: number;
}

/** Yields the first lines of a text as names of columns. */
function* namesIn(
  text: Buffer,
  firstLine: number,
  { delimiter, line: above }: HeaderRecord,
  choice: ColumnChoice,
): Generator<LineOfNames> {
  for (const { start, end, line } of recordsIn(text, firstLine)) {
    if (line > above + MAX_LINES_ABOVE) return;
    yield { names: namesOf(text.subarray(start, end), delimiter, choice), line };
  }
}

function namesOf(bytes: Buffer, known: string | null, choice: ColumnChoice): string[] {
  const delimiter = known ?? chooseDelimiter(bytes, choice);
  return hasBadQuotes(bytes, delimiter) ? [] : splitHeader(bytes, delimiter);
}

/** Returns the first line that names more fields than the header record. */
function headerIn(
  lines: Iterable<LineOfNames>,
  { bytes, delimiter }: HeaderRecord,
  choice: ColumnChoice,
): LineOfNames | null {
  const found = countFields(namesOf(bytes, delimiter, choice), choice);
  const needsOne = choice.action === 'remove' && choice.integrationId !== undefined;
  for (const line of lines) {
    const count = countFields(line.names, choice);
    if (count > found && (count > 1 || needsOne || choice.reads || choice.columns)) return line;
  }
  return null;
}

function firstIn(lines: Iterable<LineOfNames>): LineOfNames | null {
  for (const line of lines) if (line.names.some((name) => name.trim() !== '')) return line;
  return null;
}

function linesAbove(from: number, line: number, code: string, names: string[]): FileError {
  const last = line - 1;
  const lines = from === last ? `line ${from}` : `lines ${from} ${from + 1 === last ? 'and' : 'to'} ${last}`;
  const message = `line ${line} looks like the header; delete ${lines}`;
  const errors = [{ line, field: null, code: 'header_below', message }];
  return new FileError(code, message, errors, { candidates: candidatesIn(names) });
}
