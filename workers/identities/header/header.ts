import { fileErrorAt } from '../record/errors.js';
import { ORIGINAL_ROW } from '../rejected/rejected-row.js';
import { fold } from './column-names.js';
import { type ColumnChoice, type Columns, findColumns } from './find-columns.js';
import { type HeaderRecord, unlessBelow } from './header-below.js';
import { chooseDelimiter, hasBadQuotes, splitHeader } from './names.js';

export interface Header {
  delimiter: string;
  /** The number of cells of every record. */
  width: number;
  /** The number of cells up to the last one with a name. A row need not have the others. */
  namedWidth: number;
  columns: Columns;
  /** The account system of all rows, if no column contains it. */
  integrationId?: number;
  /**
   * The index of the column in which a rejected file contains the rows as they were first uploaded; null if there is
   * none.
   */
  original: number | null;
  /** The names of the columns that are ignored. */
  extra: string[];
  /** The names of all columns up to the last one with a name, if all of them are read. */
  names?: string[];
  /** Whether the file is read as UTF-8 only because no charset is known. */
  isAssumedUtf8: boolean;
  /** The encoding that the file is read in, as declared or by its byte order mark. Missing in what an earlier release saved. */
  encoding?: string;
}

/** The names of all columns, and the delimiter between them. */
export interface Names {
  delimiter: string;
  names: string[];
}

/**
 * Reads the header record and chooses the delimiter: the one with which most fields are found, then the one that
 * gives most cells.
 *
 * @throws FileError `unclosed_quote`, `stray_quote`, and as `findColumns`
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
  const { reads } = choice;
  const { line, isAssumedUtf8, encoding } = record;
  const columns = unlessBelow(record, choice, () => findColumns(found, line, choice));
  const original = findOriginal(found, columns);
  const used = [...Object.values(columns).map((column) => column?.index), original];
  const trimmed = found.map((name) => name.trim());
  const extra = reads?.all ? [] : trimmed.filter((_, index) => !used.includes(index));
  const integrationId =
    choice.integrationId ?? (columns.integrationId ? undefined : choice.onlyIntegrationId);
  const fixed = integrationId === undefined ? {} : { integrationId };
  const namedWidth = trimmed.findLastIndex((name) => name !== '') + 1;
  return {
    delimiter,
    width: found.length,
    namedWidth,
    columns,
    ...fixed,
    original,
    extra,
    ...(reads?.all && { names: trimmed.slice(0, namedWidth) }),
    isAssumedUtf8,
    encoding,
  };
}

/**
 * Reads the names of all columns, whatever they mean.
 *
 * @throws FileError `unclosed_quote`, `stray_quote`
 */
export function readNames(record: HeaderRecord, choice: ColumnChoice): Names {
  const { bytes, line } = record;
  const delimiter = record.delimiter ?? chooseDelimiter(bytes, choice);
  return unlessBelow(record, choice, () => {
    if (record.error) throw record.error;
    if (hasBadQuotes(bytes, delimiter))
      throw fileErrorAt(line, { code: 'stray_quote', message: 'a column name has a quote inside it' });
    return { delimiter, names: splitHeader(bytes, delimiter) };
  });
}

/** Returns the index of the original rows if this is the header of a rejected file, else null. */
function findOriginal(found: string[], { email, identity }: Columns): number | null {
  const index = found.findIndex((name) => fold(name) === fold(ORIGINAL_ROW));
  const isRejectedFile = identity?.escaped && (email === null || email.escaped);
  return isRejectedFile && index !== -1 ? index : null;
}
