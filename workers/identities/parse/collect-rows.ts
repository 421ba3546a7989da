import type { Header } from '../header/header.js';
import { fileErrorAt, type RowError, type ValueError } from '../record/errors.js';
import type { IdentityRecord } from '../record/identity-record.js';
import type { RejectedRow } from '../rejected/rejected-row.js';
import { rejectRow } from './check-row.js';
import type { ReadPoint } from './open-csv.js';

/** A batch of rows: consecutive rows of the file. */
export interface Rows<Value = IdentityRecord> {
  records: Value[];
  /** Physical line, from 1, where each record starts; same index as `records`. */
  lines: number[];
  rejected: RejectedRow[];
  /** Where the reading can resume after these rows; null if it cannot. */
  next: ReadPoint | null;
}

/** Returns what a row says, or everything that is wrong with it. Cells are byte strings (see `byte-text.ts`). */
export type CheckRow<Value> = (cells: string[], line: number) => Value | RowError[];

interface Gathering<Value> {
  maxRows: number;
  batchRows: number;
  check: CheckRow<Value>;
  /** What was read before; undefined at the start of a file. */
  before: Pick<ReadPoint, 'rows' | 'skipped' | 'emptyRows'> | undefined;
  /** Called when a batch is full, right after its last row. */
  next: () => ReadPoint | null;
  /** Called for each rejected row: the bytes of its record (see `byte-text.ts`). */
  record: () => Buffer;
}

/** Rejected rows keep cells of any length, so a batch ends early once it contains this many characters of them. */
const MAX_REJECTED_CHARS = 1024 * 1024;

/** Checks rows and collects them in batches. Where a batch ends depends on the rows alone. */
export class RowCollector<Value = IdentityRecord> {
  /** Rows so far, valid and rejected. */
  rows: number;
  /** Blank lines and empty rows so far. They do not count as rows, but there may not be more of them than rows. */
  skipped: number;
  /** Rows so far whose cells are all empty. Spreadsheets write such rows after the last used one. */
  emptyRows: number;
  readonly #header: Header;
  readonly #check: CheckRow<Value>;
  readonly #maxRows: number;
  readonly #batchRows: number;
  readonly #next: () => ReadPoint | null;
  readonly #record: () => Buffer;
  #open: Rows<Value> = noRows();
  #openRows = 0;
  #rejectedChars = 0;
  #full: Rows<Value>[] = [];

  constructor(header: Header, { maxRows, batchRows, check, before, next, record }: Gathering<Value>) {
    this.rows = before?.rows ?? 0;
    this.skipped = before?.skipped ?? 0;
    this.emptyRows = before?.emptyRows ?? 0;
    this.#header = header;
    this.#check = check;
    this.#maxRows = maxRows;
    this.#batchRows = batchRows;
    this.#next = next;
    this.#record = record;
  }

  /**
   * Adds a row.
   *
   * @param error the error of the row as a whole, if it has one
   * @throws FileError `too_many_rows`, `too_many_blank_lines`
   */
  take(cells: string[], line: number, error: ValueError | null): void {
    if (error === null && isEmptyRow(cells)) {
      this.emptyRows++;
      this.skip(line);
      return;
    }
    if (++this.rows > this.#maxRows) {
      throw fileErrorAt(line, {
        code: 'too_many_rows',
        message: `the file has more than ${this.#maxRows} rows`,
      });
    }
    const checked = error === null ? this.#check(cells, line) : [{ field: null, ...error }];
    if (Array.isArray(checked)) this.#reject(cells, line, checked);
    else {
      this.#open.records.push(checked);
      this.#open.lines.push(line);
    }
    if (++this.#openRows >= this.#batchRows || this.#rejectedChars > MAX_REJECTED_CHARS)
      this.#close(this.#next());
  }

  /**
   * Skips a line that contains no row.
   *
   * @throws FileError `too_many_blank_lines`
   */
  skip(line: number): void {
    if (++this.skipped > this.#maxRows) {
      throw fileErrorAt(line, {
        code: 'too_many_blank_lines',
        message: `the file has more than ${this.#maxRows} blank lines`,
      });
    }
  }

  /** Returns the batches that were completed since the last call. */
  full(): Rows<Value>[] {
    return this.#full.splice(0);
  }

  /** Returns the remaining rows at the end of the file. */
  rest(): Rows<Value>[] {
    if (this.#openRows > 0) this.#close(null);
    return this.full();
  }

  #reject(cells: string[], line: number, errors: RowError[]): void {
    const row = rejectRow({ line, cells, record: this.#record() }, errors, this.#header);
    this.#rejectedChars += row.original.length;
    for (const cell of row.cells) this.#rejectedChars += cell.length;
    this.#open.rejected.push(row);
  }

  #close(next: ReadPoint | null): void {
    this.#open.next = next;
    this.#full.push(this.#open);
    this.#open = noRows();
    this.#openRows = 0;
    this.#rejectedChars = 0;
  }
}

const SPACE = 0x20;

/**
 * Returns whether all cells are empty. A single empty cell does not count: only quotes can produce one, and a blank
 * line has none.
 */
function isEmptyRow(cells: string[]): boolean {
  // The first character decides for nearly every row, without trimming a cell.
  if ((cells[0] as string).charCodeAt(0) > SPACE || cells.length < 2) return false;
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false;
  return true;
}

function noRows<Value>(): Rows<Value> {
  return { records: [], lines: [], rejected: [], next: null };
}
