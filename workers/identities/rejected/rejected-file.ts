import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FileStore } from '../../../db/files/index.js';
import { toCsvLine } from '../../export/csv.js';
import { REJECTED_COLUMNS, type RejectedRow, toRejectedCells } from './rejected-row.js';

/**
 * A UTF-8 byte order mark, which spreadsheets need. It also makes an upload that declares another charset fail as a
 * whole: in Windows-1252 the marks of undecodable bytes would be valid characters.
 */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The rejected rows of an upload as a CSV file that can be edited and uploaded again. It is not created if there are
 * none.
 */
export class RejectedFile {
  readonly #files: FileStore;
  readonly #key: string;
  readonly #action: 'assert' | 'remove';
  #text: PassThrough | null = null;
  #stored: Promise<unknown> = Promise.resolve();

  constructor(files: FileStore, key: string, action: 'assert' | 'remove' = 'assert') {
    this.#files = files;
    this.#key = key;
    this.#action = action;
  }

  /** Adds rows, and waits while the store is slower than the reader. */
  async add(rows: readonly RejectedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const text = this.#open();
    for (const row of rows) {
      if (!text.write(toCsvLine(toRejectedCells(row, this.#action))))
        await Promise.race([once(text, 'drain'), this.#stored]);
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

  #open(): PassThrough {
    if (this.#text) return this.#text;
    this.#text = new PassThrough();
    // The store starts to listen only once it has made room. An error before that shows in `#stored` too.
    this.#text.on('error', () => {});
    this.#stored = this.#files.write(this.#key, this.#text);
    this.#stored.catch(() => {});
    this.#text.write(BYTE_ORDER_MARK + toCsvLine(REJECTED_COLUMNS));
    return this.#text;
  }
}
