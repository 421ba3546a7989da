import { countLineBreaks } from '../header/quotes.js';

const QUOTE = 0x22;

/** The bytes that the open record may consist of: the current piece, and what is still needed of earlier ones. */
export class RecordWindow {
  /** Whether the window contains a quote. */
  quoted = false;
  /** The offset after its last byte. */
  end = 0;
  #pieces: Buffer[] = [];
  #start = 0;

  add(piece: Buffer): void {
    this.#pieces.push(piece);
    this.end += piece.length;
    this.quoted ||= piece.includes(QUOTE);
  }

  /** Releases the bytes before an offset that is in the last piece: earlier pieces are dropped, the last one is cut. */
  release(before: number): void {
    const last = this.#pieces.at(-1);
    if (last === undefined || before < this.end - last.length) return;
    const rest = last.subarray(last.length - (this.end - before));
    this.#pieces = rest.length > 0 ? [rest] : [];
    this.#start = before;
    this.quoted = rest.includes(QUOTE);
  }

  /** Discards all bytes and continues at an offset. */
  restart(at: number): void {
    this.#pieces = [];
    this.#start = at;
    this.end = at;
    this.quoted = false;
  }

  /** Returns the bytes between two offsets, without a copy if they are in the last piece. */
  bytes(from: number, to: number): Buffer {
    const last = this.#pieces.at(-1) ?? Buffer.alloc(0);
    const lastStart = this.end - last.length;
    if (from >= lastStart) return last.subarray(from - lastStart, to - lastStart);
    return Buffer.concat(this.#pieces).subarray(from - this.#start, to - this.#start);
  }
}

const QUOTE_OR_BREAK = /["\r\n]/;

/** Returns how many line breaks the cells of a record contain, and whether one of them contains a quote. */
export function scanCells(cells: readonly string[]): { breaks: number; quotes: boolean } {
  let breaks = 0;
  let quotes = false;
  for (const cell of cells) {
    if (!QUOTE_OR_BREAK.test(cell)) continue;
    breaks += countLineBreaks(Buffer.from(cell, 'latin1'));
    quotes ||= cell.includes('"');
  }
  return { breaks, quotes };
}

/** Returns whether a record is a blank line. */
export function isBlankLine(cells: readonly string[]): boolean {
  return cells.length === 1 && cells[0]?.trim() === '';
}
