import { fold } from '../identities/header/column-names.js';
import type { Column } from '../identities/header/find-columns.js';
import type { Header } from '../identities/header/header.js';
import { checkCells, textKind, valueIn } from '../identities/parse/check-row.js';
import { type ChecksOf, type FileWarning, readTable, type Source } from '../identities/parse/read-csv.js';
import {
  describeInvalidRows,
  FileError,
  type LineError,
  type RowError,
} from '../identities/record/errors.js';
import { LIST_LIMITS } from './read-accounts.js';

const MAX_ERRORS_LISTED = 100;

/** Returns the text of a column of a row by its name, '' if the file has no such column. */
export type CellOf = (name: string) => string;

interface Reading<Value> {
  charset?: string | undefined;
  /** Columns of which the file must have one, besides `identity`. */
  oneOf: readonly string[];
  /** Returns the value of a row, everything that is wrong with it, or null if it says nothing. */
  check(cell: CellOf): Value | RowError[] | null;
}

/**
 * Reads a worklist, filled in or not: a CSV file or a workbook whose columns have the names of those of a worklist, or end in `Escaped`.
 * @throws FileError if the file is invalid, with the first 100 errors of its rows
 */
export async function readWorklist<Value extends object>(
  source: Source,
  { charset, oneOf, check }: Reading<Value>,
): Promise<{ values: Value[]; rows: number; warnings: FileWarning[] }> {
  const checks: ChecksOf<Value> = (header, notes) => {
    const columns = columnsOf(header);
    if (!oneOf.some((name) => columns.has(fold(name)))) throw noColumn(oneOf);
    return (cells, line) => {
      const text = textKind(cells);
      const unreadable = checkCells(cells, line, header, text, { keepsLost: true, notes });
      if (unreadable) return unreadable;
      const cell: CellOf = (name) => copied(valueIn(cells, columnOf(columns, header, name), text));
      return check(cell);
    };
  };
  const choice = { reads: { required: ['identity'], all: true } };
  const reading = readTable(source, { charset, choice, limits: LIST_LIMITS }, checks);
  const values: Value[] = [];
  const errors: LineError[] = [];
  const count = { rows: 0, invalid: 0, errors: 0 };
  for await (const { records, rejected } of reading) {
    count.rows += records.length + rejected.length;
    count.invalid += rejected.length;
    for (const value of records) values.push(value);
    for (const row of rejected) {
      count.errors += row.errors.length;
      const listed = row.errors.slice(0, MAX_ERRORS_LISTED - errors.length);
      errors.push(...listed.map((error) => ({ line: row.line, ...error })));
    }
  }
  if (count.invalid === 0) return { values, rows: count.rows, warnings: reading.warnings };
  const message = describeInvalidRows(count.invalid, count.rows, errors[0]);
  throw new FileError('invalid_rows', message, errors, { errorCount: count.errors });
}

const copied = (text: string): string => Buffer.from(text).toString();

function columnsOf({ names = [] }: Header): Map<string, Column> {
  const columns = new Map<string, Column>();
  for (const [index, name] of names.entries()) {
    const folded = fold(name);
    const escaped = folded.endsWith('escaped');
    const bare = escaped ? folded.slice(0, -'escaped'.length) : folded;
    if (!columns.has(bare)) columns.set(bare, { index, name, escaped });
  }
  return columns;
}

const columnOf = (columns: ReadonlyMap<string, Column>, header: Header, name: string): Column | null =>
  name === 'identity' ? header.columns.identity : (columns.get(fold(name)) ?? null);

const noColumn = (oneOf: readonly string[]): FileError =>
  new FileError('column_missing', `the file needs a column ${oneOf.join(' or ')}`);
