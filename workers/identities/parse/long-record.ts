import type { QuoteScan } from '../header/quotes.js';

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** The position of a byte in a record. */
type Place = 'cell start' | 'cell' | 'quotes' | 'closing quote' | 'CR';

/**
 * Finds the end of a record that is too long to be held in memory. It reads piece by piece and by the same rules as
 * `scanQuotes`, and keeps the record's first bytes for the rejected file.
 */
export class LongRecord {
  /** The record's first bytes. */
  readonly start: Buffer;
  /** Line breaks within the record so far, in quotes. */
  breaks = 0;
  /** The first misplaced quote. */
  stray: QuoteScan['stray'] = null;
  readonly #delimiter: number;
  #place: Place = 'cell start';
  #openLine = 0;
  #afterCr = false;

  /** @param delimiter the delimiter's byte */
  constructor(start: Buffer, delimiter: number) {
    this.start = start;
    this.#delimiter = delimiter;
  }

  /** The line, from 0 at the record's first line, where the currently open quotes start; null outside of quotes. */
  get openLine(): number | null {
    return this.#place === 'quotes' ? this.#openLine : null;
  }

  /**
   * Returns how many of these bytes belong to the record, including its line break; null if the record continues
   * after them.
   */
  read(bytes: Buffer): number | null {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (this.#place === 'CR') return byte === LF ? at + 1 : at;
      if (this.#place === 'quotes') this.#readQuoted(byte);
      else if (byte === LF) return at + 1;
      else this.#place = this.#readPlain(byte, this.#place);
    }
    return null;
  }

  #readQuoted(byte: number): void {
    if (byte === QUOTE) this.#place = 'closing quote';
    // A CRLF is one line break, even if the pieces are cut between its bytes.
    else if (byte === CR || (byte === LF && !this.#afterCr)) this.breaks++;
    this.#afterCr = byte === CR;
  }

  #readPlain(byte: number, place: Place): Place {
    if (byte === CR) return 'CR';
    if (byte === this.#delimiter) return 'cell start';
    if (byte === QUOTE && place !== 'cell') return this.#open(place);
    if (byte === QUOTE) this.stray ??= { line: this.breaks, kind: 'inside' };
    else if (place === 'closing quote') this.stray ??= { line: this.#openLine, kind: 'after' };
    return 'cell';
  }

  /** Opens quotes, or continues in them: a doubled quote is part of the cell. */
  #open(place: Place): Place {
    if (place === 'cell start') this.#openLine = this.breaks;
    return 'quotes';
  }
}
