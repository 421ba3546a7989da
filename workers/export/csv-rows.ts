import { type CellPlace, findCell } from '../../db/bulk/row-bytes.js';
import type { CsvPage, CsvTable } from './csv.js';
import { needsEscape } from './formulas.js';

const [LINE_FEED, QUOTE, COMMA, APOSTROPHE] = [0x0a, 0x22, 0x2c, 0x27];

/** 1 for a byte that a cell needs quotes for, see `toCsvLine`. No byte of a character beyond ASCII is one of these. */
const NEEDS_QUOTES = new Uint8Array(256);
for (const character of '",\r\n') NEEDS_QUOTES[character.charCodeAt(0)] = 1;

const PAGE_BYTES = 256 * 1024;
/** A page with less space than this left is full. Most rows fit into it. */
const SPARE_BYTES = 8 * 1024;

/**
 * Makes pages of a CSV file of rows as the database sends them: byte by byte the lines of `CsvTable.lines`, without a text for each cell.
 * A million identities take the worker 0.5 s of CPU instead of 1.3.
 */
export class CsvRows {
  readonly #escaped: readonly boolean[];
  readonly #place: CellPlace = { start: 0, end: 0 };
  #bytes = Buffer.allocUnsafe(PAGE_BYTES);
  #size = 0;
  #rows = 0;

  constructor({ escaped }: CsvTable) {
    this.#escaped = escaped;
  }

  /** Adds a row that the database sent as these bytes. It has a cell for each column. */
  add(packet: Buffer, start: number, end: number): void {
    const columns = this.#escaped.length;
    // Each byte may be a quote that is doubled, and each cell has quotes, an apostrophe and a separator.
    this.#makeSpace(2 * (end - start) + 4 * columns);
    const place = this.#place;
    place.end = start;
    for (let column = 0; column < columns; column++) {
      findCell(packet, place.end, place);
      if (column > 0) this.#bytes[this.#size++] = COMMA;
      this.#addCell(packet, place, this.#escaped[column] as boolean);
    }
    this.#bytes[this.#size++] = LINE_FEED;
    this.#rows += 1;
  }

  /** Returns whether the page is so large that it should be taken. */
  get isFull(): boolean {
    return this.#size >= PAGE_BYTES - SPARE_BYTES;
  }

  /** Returns the rows that were added since the last call. */
  take(): CsvPage {
    const page = { bytes: this.#bytes.subarray(0, this.#size), rows: this.#rows };
    this.#bytes = Buffer.allocUnsafe(PAGE_BYTES);
    this.#size = 0;
    this.#rows = 0;
    return page;
  }

  #addCell(packet: Buffer, { start, end }: CellPlace, escaped: boolean): void {
    const bytes = this.#bytes;
    const prefixed = escaped && needsEscape(packet, start, end);
    let size = this.#size;
    let special = 0;
    if (prefixed) bytes[size++] = APOSTROPHE;
    for (let at = start; at < end; at++) {
      const byte = packet[at] as number;
      special |= NEEDS_QUOTES[byte] as number;
      bytes[size++] = byte;
    }
    this.#size = special === 0 ? size : this.#addQuoted(packet, start, end, prefixed);
  }

  /** Writes a cell again, with quotes. Returns the size of the page with it. */
  #addQuoted(packet: Buffer, start: number, end: number, prefixed: boolean): number {
    const bytes = this.#bytes;
    let size = this.#size;
    bytes[size++] = QUOTE;
    if (prefixed) bytes[size++] = APOSTROPHE;
    for (let at = start; at < end; at++) {
      const byte = packet[at] as number;
      if (byte === QUOTE) bytes[size++] = QUOTE;
      bytes[size++] = byte;
    }
    bytes[size++] = QUOTE;
    return size;
  }

  #makeSpace(count: number): void {
    if (this.#size + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#bytes.length, this.#size + count));
    this.#bytes.copy(larger, 0, 0, this.#size);
    this.#bytes = larger;
  }
}
