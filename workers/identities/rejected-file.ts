import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FileStore } from '../../db/files/index.js';
import type { RefusedRow } from './read-csv.js';
import { REJECTED_COLUMNS, toRejectedCells } from './rejected-row.js';

/** By itself csv-stringify quotes only the line break that it writes, and an upload takes a lone CR for the end of a row. */
const QUOTED = { quoted_match: /[\r\n]/ };

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
  async add(rows: readonly RefusedRow[]): Promise<void> {
    if (rows.length === 0) return;
    const text = this.#open();
    if (!text.write(stringify(rows.map(toRejectedCells), QUOTED)))
      await Promise.race([once(text, 'drain'), this.#stored]);
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
    this.#text.write(`${REJECTED_COLUMNS}\n`);
    return this.#text;
  }
}
