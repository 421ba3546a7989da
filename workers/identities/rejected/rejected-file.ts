import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { FileStore } from '../../../db/files/index.js';
import { toCsvLine } from '../../export/csv.js';
import { REJECTED_COLUMNS, type RejectedRow, toRejectedCells } from './rejected-row.js';

/**
 * A UTF-8 byte order mark, as spreadsheets need it. An upload that declares another charset is then refused as a whole:
 * read in Windows-1252, the marks of undecodable bytes would be valid characters.
 */
const BYTE_ORDER_MARK = '\uFEFF';

/** The rejected rows of an upload as a CSV to edit and upload again. Not made if there are none. */
export class RejectedFile {
  readonly #files: FileStore;
  readonly #key: string;
  #text: PassThrough | null = null;
  #stored: Promise<unknown> = Promise.resolve();

  constructor(files: FileStore, key: string) {
    this.#files = files;
    this.#key = key;
  }

  /** Adds rows; waits while the store is slower than the reader. */
  async add(rows: readonly RejectedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const text = this.#open();
    for (const row of rows) {
      if (!text.write(toCsvLine(toRejectedCells(row))))
        await Promise.race([once(text, 'drain'), this.#stored]);
    }
  }

  /** Ends the file; its key once it is stored whole, or null when there is none. */
  async end(): Promise<string | null> {
    if (!this.#text) return null;
    this.#text.end();
    await this.#stored;
    return this.#key;
  }

  /** Gives up; nothing stays in the store. */
  abandon(): void {
    this.#text?.destroy(new Error('the import ended early'));
  }

  #open(): PassThrough {
    if (this.#text) return this.#text;
    this.#text = new PassThrough();
    // The store listens only once it has made room; what goes wrong before shows in `#stored` all the same.
    this.#text.on('error', () => {});
    this.#stored = this.#files.write(this.#key, this.#text);
    this.#stored.catch(() => {});
    this.#text.write(BYTE_ORDER_MARK + toCsvLine(REJECTED_COLUMNS));
    return this.#text;
  }
}
