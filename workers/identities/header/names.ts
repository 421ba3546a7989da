import { parse } from 'csv-parse/sync';
import { showCell } from '../decode/byte-text.js';
import { withoutPadding } from '../record/padding.js';
import { type ColumnChoice, countFields } from './find-columns.js';
import { scanQuotes } from './quotes.js';

/** A field that is found outweighs any number of cells: a header record has at most 64 KiB. */
const RANK_OF_FIELD = 64 * 1024;

const DELIMITERS = [',', ';', '\t', '|'];

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

/** Returns whether a header record has a quote inside a name, or one that is never closed. */
export function hasBadQuotes(record: Buffer, delimiter: string): boolean {
  const { stray, openLine } = scanQuotes(record, delimiter.charCodeAt(0));
  return stray !== null || openLine !== null;
}

/** Returns the names in a header record without bad quotes. */
export function splitHeader(record: Buffer, delimiter: string): string[] {
  const [names = []] = parse(record, {
    delimiter,
    encoding: 'latin1',
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  return names.map((name) => withoutPadding(showCell(name)));
}
