import type { Header } from '../header/header.js';
import { type FileError, fileErrorAt, type RowError, type ValueError } from '../record/errors.js';
import type { IdentityRecord } from '../record/identity-record.js';
import type { RejectedRow } from '../rejected/rejected-row.js';
import { rejectRow } from './check-row.js';
import type { ReadPoint, RowCounts } from './open-csv.js';

/** A batch of rows: consecutive rows of the file. */
export interface Rows<Value = IdentityRecord> {
  records: Value[];
  /** Physical line, from 1, where each record starts; same index as `records`. */
  lines: number[];
  rejected: RejectedRow[];
  /** Where the reading can resume after these rows; null if it cannot. */
  next: ReadPoint | null;
}

/** Returns what a row says, everything that is wrong with it, or null if it says nothing. Cells are byte strings (see `byte-text.ts`). */
export type CheckRow<Value> = (cells: string[], line: number) => Value | RowError[] | null;

interface Gathering<Value> {
  maxRows: number;
  batchRows: number;
  check: CheckRow<Value>;
  /** Returns the characters of a valid row, if they may be many. A batch ends with the row with which it has 4 million. */
  sizeOf?: ((value: Value) => number) | undefined;
  /** What was read before; undefined at the start of a file. */
  before: RowCounts | undefined;
  /** Called when a batch is full, right after its last row. */
  next: () => ReadPoint | null;
  /** Called for each rejected row: the bytes of its record (see `byte-text.ts`). */
  record: () => Buffer;
}

/** Rejected rows keep cells of any length, so a batch ends early once it contains this many characters of them. */
const MAX_REJECTED_CHARS = 1024 * 1024;

/** The same of valid rows. */
export const MAX_BATCH_CHARS = 4 * 1024 * 1024;

/** Checks rows and collects them in batches. Where a batch ends depends on the rows alone. */
export class BatchCollector<Value = IdentityRecord> {
  /** What was read so far. Blank lines and empty rows are skipped and do not count as rows, but there may not be more of them than rows. */
  readonly counts: RowCounts;
  readonly #header: Header;
  readonly #gathering: Gathering<Value>;
  #open: Rows<Value> = noRows();
  #openRows = 0;
  #chars = 0;
  #rejectedChars = 0;
  #full: Rows<Value>[] = [];

  constructor(header: Header, gathering: Gathering<Value>) {
    const { rows = 0, skipped = 0, emptyRows = 0 } = gathering.before ?? {};
    this.counts = { rows, skipped, emptyRows };
    this.#header = header;
    this.#gathering = gathering;
  }

  /**
   * Adds a row.
   *
   * @param error the error of the row as a whole, if it has one
   * @throws FileError `too_many_rows`, `too_many_blank_lines`
   */
  take(cells: string[], line: number, error: ValueError | null): void {
    if (error === null && isEmptyRow(cells)) {
      this.counts.emptyRows++;
      this.skip(line);
      return;
    }
    const { maxRows, batchRows, check, sizeOf, next } = this.#gathering;
    if (++this.counts.rows > maxRows) throw tooMany('rows', maxRows, line);
    const checked = error === null ? check(cells, line) : [{ field: null, ...error }];
    if (checked === null) return;
    if (Array.isArray(checked)) this.#reject(cells, line, checked);
    else {
      this.#open.records.push(checked);
      this.#open.lines.push(line);
      this.#chars += sizeOf?.(checked) ?? 0;
    }
    const isLarge = this.#chars > MAX_BATCH_CHARS || this.#rejectedChars > MAX_REJECTED_CHARS;
    if (++this.#openRows >= batchRows || isLarge) this.#close(next());
  }

  /**
   * Skips a line that contains no row.
   *
   * @throws FileError `too_many_blank_lines`
   */
  skip(line: number): void {
    const { maxRows } = this.#gathering;
    if (++this.counts.skipped > maxRows) throw tooMany('blank lines', maxRows, line);
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
    const row = rejectRow({ line, cells, record: this.#gathering.record() }, errors, this.#header);
    this.#rejectedChars += row.original.length;
    for (const cell of row.cells) this.#rejectedChars += cell.length;
    this.#open.rejected.push(row);
  }

  #close(next: ReadPoint | null): void {
    this.#open.next = next;
    this.#full.push(this.#open);
    this.#open = noRows();
    this.#openRows = 0;
    this.#chars = 0;
    this.#rejectedChars = 0;
  }
}

const tooMany = (what: string, limit: number, line: number): FileError =>
  fileErrorAt(line, {
    code: `too_many_${what.replace(' ', '_')}`,
    message: `the file has more than ${limit} ${what}`,
  });

const SPACE = 0x20;

/**
 * Returns whether all cells are empty. A single empty cell does not count: only quotes can produce one, and a blank
 * line has none.
 */
function isEmptyRow(cells: string[]): boolean {
  // The first character decides for nearly every row, without trimming a cell.
  const first = cells[0] ?? '';
  if (first.charCodeAt(0) > SPACE || cells.length < 2) return false;
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return false;
  return true;
}

function noRows<Value>(): Rows<Value> {
  return { records: [], lines: [], rejected: [], next: null };
}
