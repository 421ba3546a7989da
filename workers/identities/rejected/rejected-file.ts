import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FileStore } from '../../../db/files/index.js';
import { type Cell, toCsvLine } from '../../export/csv.js';
import { codesOf, messagesOf, REJECTED_COLUMNS, type RejectedRow, toRejectedCells } from './rejected-row.js';

/**
 * A UTF-8 byte order mark, which spreadsheets need. It also makes an upload that declares another charset fail as a
 * whole: in Windows-1252 the marks of undecodable bytes would be valid characters.
 */
const BYTE_ORDER_MARK = '\uFEFF';

/** The columns of a rejected file, and the cells of a rejected row in them. */
export interface RejectedForm {
  columns: readonly string[];
  cells(row: RejectedRow): readonly Cell[];
}

/** Returns the form of an upload of identities. */
export const identityForm = (action: 'assert' | 'remove' = 'assert'): RejectedForm => ({
  columns: REJECTED_COLUMNS,
  cells: (row) => toRejectedCells(row, action),
});

/** Returns the form of rows with all columns of their file. */
export const tableForm = (columns: readonly string[]): RejectedForm => ({
  columns: [...columns, 'line', 'code', 'message'],
  cells: (row) => [
    ...columns.map((_, at) => row.cells[at] ?? ''),
    row.line,
    codesOf(row).join('; '),
    messagesOf(row).join('; '),
  ],
});

/**
 * The rejected rows of an upload as a CSV file that can be edited and uploaded again. It is not created if there are
 * none.
 */
export class RejectedFile {
  readonly #files: FileStore;
  readonly #key: string;
  readonly #form: () => RejectedForm;
  #text: PassThrough | null = null;
  #stored: Promise<unknown> = Promise.resolve();

  /** @param form returns how the rows that are added are written, the same for each file */
  constructor(files: FileStore, key: string, form: () => RejectedForm = identityForm) {
    this.#files = files;
    this.#key = key;
    this.#form = form;
  }

  /** Adds rows, and waits while the store is slower than the reader. */
  async add(rows: readonly RejectedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const { columns, cells } = this.#form();
    const text = this.#open(columns);
    for (const row of rows) {
      if (!text.write(toCsvLine(cells(row)))) await Promise.race([once(text, 'drain'), this.#stored]);
    }
  }

  /** Completes the file. Returns its key once it is stored, or null if there were no rows. */
  async end(): Promise<string | null> {
    if (!this.#text) return null;
    this.#text.end();
    await this.#stored;
    return this.#key;
  }

  /** Discards the file; nothing stays in the store. */
  abandon(): void {
    this.#text?.destroy(new Error('the import ended early'));
  }

  #open(columns: readonly string[]): PassThrough {
    if (this.#text) return this.#text;
    this.#text = new PassThrough();
    // The store starts to listen only once it has made room. An error before that shows in `#stored` too.
    this.#text.on('error', () => {});
    this.#stored = this.#files.write(this.#key, this.#text);
    this.#stored.catch(() => {});
    this.#text.write(BYTE_ORDER_MARK + toCsvLine(columns));
    return this.#text;
  }
}
