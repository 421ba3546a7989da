import { parse } from 'csv-parse/sync';
import { showCell } from '../decode/byte-text.js';
import { FileError, fileErrorAt } from '../record/errors.js';
import { withoutPadding } from '../record/padding.js';
import { ORIGINAL_ROW } from '../rejected/rejected-row.js';
import { fold } from './column-names.js';
import { type ColumnChoice, type Columns, candidatesIn, countFields, findColumns } from './find-columns.js';
import { type Preamble, recordsIn } from './preamble.js';
import { countLineBreaks, scanQuotes } from './quotes.js';

export interface Header {
  delimiter: string;
  /** The number of cells of every record. */
  width: number;
  /** The number of cells up to the last one with a name. A row need not have the others. */
  namedWidth: number;
  columns: Columns;
  /** The integration of all rows, if no column contains it. */
  integrationId?: number;
  /**
   * The index of the column in which a rejected file contains the rows as they were first uploaded; null if there is
   * none.
   */
  original: number | null;
  /** The names of the columns that are ignored. */
  extra: string[];
  /** Whether the file is read as UTF-8 only because no charset is known. */
  isAssumedUtf8: boolean;
}

/** A header record as it was found, and whether the charset of the file is unknown. */
export type HeaderRecord = Omit<Preamble, 'bodyStart' | 'bodyLine'> & { isAssumedUtf8: boolean };

/** A field that is found outweighs any number of cells: a header record has at most 64 KiB. */
const RANK_OF_FIELD = 64 * 1024;

const DELIMITERS = [',', ';', '\t', '|'];

/** The names of all columns, and the delimiter between them. */
export interface Names {
  delimiter: string;
  names: string[];
}

/**
 * Reads the header record and chooses the delimiter: the one with which most fields are found, then the one that
 * gives most cells.
 *
 * @throws FileError `stray_quote`, and as `findColumns`
 */
export function readHeader(record: HeaderRecord, choice: ColumnChoice = {}): Header {
  return toHeader(record, readNames(record, choice), choice);
}

/**
 * Finds the fields in names that were read from a header record with the same choice.
 *
 * @throws FileError as `findColumns`
 */
export function toHeader(
  record: HeaderRecord,
  { delimiter, names: found }: Names,
  choice: ColumnChoice,
): Header {
  const { integrationId } = choice;
  const { line, isAssumedUtf8 } = record;
  const columns = unlessBelow(record, choice, () => findColumns(found, line, choice));
  const original = findOriginal(found, columns);
  const used = [...Object.values(columns).map((column) => column?.index), original];
  const extra = found.filter((_, index) => !used.includes(index)).map((name) => name.trim());
  const fixed = integrationId === undefined ? {} : { integrationId };
  const namedWidth = found.findLastIndex((name) => name.trim() !== '') + 1;
  return { delimiter, width: found.length, namedWidth, columns, ...fixed, original, extra, isAssumedUtf8 };
}

/**
 * Reads the names of all columns, whatever they mean.
 *
 * @throws FileError `stray_quote`
 */
export function readNames(record: HeaderRecord, choice: ColumnChoice): Names {
  const { bytes, line } = record;
  const delimiter = record.delimiter ?? chooseDelimiter(bytes, choice);
  return unlessBelow(record, choice, () => {
    if (hasBadQuotes(bytes, delimiter))
      throw fileErrorAt(line, { code: 'stray_quote', message: 'a column name has a quote inside it' });
    return { delimiter, names: splitHeader(bytes, delimiter) };
  });
}

/** Lines below a header record that is not understood, in which the header is looked for. A line takes up to 80 µs. */
const MAX_LINES_ABOVE = 200;

/**
 * Returns what a function reads from the header record.
 *
 * @throws FileError what the function throws; if a line below names more fields, an error that says to delete the lines above it
 */
function unlessBelow<Result>(record: HeaderRecord, choice: ColumnChoice, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof FileError ? (headerBelow(record, choice, error) ?? error) : error;
  }
}

/** Programs write a title, an empty row or a version above the header: "User report", `version:v1.0`. */
function headerBelow(record: HeaderRecord, choice: ColumnChoice, { code }: FileError): FileError | null {
  const named = (bytes: Buffer) => {
    const delimiter = record.delimiter ?? chooseDelimiter(bytes, choice);
    return hasBadQuotes(bytes, delimiter) ? [] : splitHeader(bytes, delimiter);
  };
  const first = countFields(named(record.bytes), choice);
  const firstLine = record.line + countLineBreaks(record.bytes) + 1;
  for (const { start, end, line } of recordsIn(record.below, firstLine)) {
    if (line > record.line + MAX_LINES_ABOVE) return null;
    const names = named(record.below.subarray(start, end));
    const count = countFields(names, choice);
    if (count > first && (count > 1 || choice.reads || choice.columns))
      return linesAbove(record.line, line, code, names);
  }
  return null;
}

function linesAbove(from: number, line: number, code: string, names: string[]): FileError {
  const last = line - 1;
  const lines = from === last ? `line ${from}` : `lines ${from} ${from + 1 === last ? 'and' : 'to'} ${last}`;
  const message = `line ${line} looks like the header; delete ${lines}`;
  const errors = [{ line, field: null, code: 'header_below', message }];
  return new FileError(code, message, errors, { candidates: candidatesIn(names) });
}

/** Returns the most likely delimiter of a header record: comma, semicolon, tab or bar. */
export function chooseDelimiter(record: Buffer, choice: ColumnChoice = {}): string {
  let best = { delimiter: DELIMITERS[0] ?? ',', rank: 0 };
  for (const delimiter of differentDelimiters(record)) {
    const rank = hasBadQuotes(record, delimiter) ? 0 : rankOf(splitHeader(record, delimiter), choice);
    if (rank > best.rank) best = { delimiter, rank };
  }
  return best.delimiter;
}

/** Returns the delimiters that occur and the first that does not: with any other the record has the same single cell. */
function differentDelimiters(record: Buffer): string[] {
  const absent = DELIMITERS.find((delimiter) => !record.includes(delimiter));
  return DELIMITERS.filter((delimiter) => delimiter === absent || record.includes(delimiter));
}

const rankOf = (names: string[], choice: ColumnChoice): number =>
  countFields(names, choice) * RANK_OF_FIELD + names.length;

function hasBadQuotes(record: Buffer, delimiter: string): boolean {
  const { stray, openLine } = scanQuotes(record, delimiter.charCodeAt(0));
  return stray !== null || openLine !== null;
}

function splitHeader(record: Buffer, delimiter: string): string[] {
  const [names = []] = parse(record, {
    delimiter,
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  return names.map((name) => withoutPadding(showCell(name)));
}

/** Returns the index of the original rows if this is the header of a rejected file, else null. */
function findOriginal(found: string[], { email, identity }: Columns): number | null {
  const index = found.findIndex((name) => fold(name) === fold(ORIGINAL_ROW));
  const isRejectedFile = identity?.escaped && (email === null || email.escaped);
  return isRejectedFile && index !== -1 ? index : null;
}
