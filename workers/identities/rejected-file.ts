import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import type { FileStore } from '../../db/files/index.js';
import { escapeFormula } from '../export/formulas.js';
import type { RefusedRow } from './read-csv.js';

const HEADER = 'emailEscaped,integrationId,identityEscaped,line,code,message\n';

/** The refused rows of an upload as a CSV that can be corrected and uploaded as it is. Not made when none is refused. */
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
    if (!text.write(stringify(rows.map(toCells)))) await Promise.race([once(text, 'drain'), this.#stored]);
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
    this.#text.write(HEADER);
    return this.#text;
  }
}

/** Cells as they stood in the upload. A row with several faults names all of them, in one cell each. */
function toCells({ line, cells, errors }: RefusedRow): (string | number)[] {
  const codes = errors.map(({ code }) => code).join('; ');
  const messages = errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join('; ');
  const shown = codes.includes('undecodable_bytes') ? cells.map(markUndecodable) : cells;
  return [...shown.map(escapeFormula), line, codes, messages];
}

/**
 * What stands for a byte, `\xE9`, is text that an identity could hold. With U+FFFD before it, which none may hold, it is
 * refused again until somebody has put in what was meant.
 */
const markUndecodable = (cell: string): string => cell.replaceAll(/\\x[0-9A-F]{2}/g, '\uFFFD$&');
