import { DirectParser } from './direct-parser.js';
import { type FileFault, faultAtLine } from './file-fault.js';
import { countLineBreaks, scanQuotes } from './quotes.js';
import { RecordWindow } from './record-window.js';

/** The longest record, its line breaks included: 1 MiB, which bounds what an unclosed quote can swallow. */
export const MAX_RECORD_BYTES = 1024 * 1024;

const QUOTE = 0x22;
const QUOTE_OR_BREAK = /["\r\n]/;

/** What is wrong with a record as such. It stands alone on its line, so the next one is safe to read. */
export interface RecordFault {
  code: string;
  message: string;
}

/**
 * @param cells byte strings (see `byte-text.ts`)
 * @param line physical, from 1, where the record starts
 */
export type OnRecord = (cells: string[], line: number, fault: RecordFault | null) => void;

const STRAY_QUOTE = {
  inside:
    'a quote stands inside a cell that does not start with one: quote the whole cell and double the quotes in it',
  after: 'text follows a closing quote: double the quotes inside a quoted cell',
};

/**
 * Bytes in, records out, blank lines left out. csv-parse could tell lines itself (`info: true`), at twice the time
 * and counting a quoted CRLF as two. Here a record is one line and, if there is a quote about, the line breaks in
 * its cells.
 */
export class RecordSplitter {
  readonly #delimiter: number;
  readonly #onRecord: OnRecord;
  readonly #onBlankLine: (line: number) => void;
  readonly #parser: DirectParser;
  readonly #window = new RecordWindow();
  /** Where the open record starts: its physical line, and its offset in what was written. */
  #line: number;
  #start = 0;
  /** Where the record starts that is being handed over. */
  #taken = 0;

  /**
   * @param delimiter one ASCII character
   * @param firstLine the physical line that the first byte stands on
   */
  constructor(
    delimiter: string,
    firstLine: number,
    onRecord: OnRecord,
    onBlankLine: (line: number) => void = () => {},
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#line = firstLine;
    this.#onRecord = onRecord;
    this.#onBlankLine = onBlankLine;
    this.#parser = new DirectParser(delimiter, (cells) => this.#take(cells));
  }

  /** @throws FileFault `unclosed_quote`, `stray_quote`, `record_too_long` */
  write(piece: Buffer): void {
    this.#window.add(piece);
    this.#parser.feed(piece);
    this.#window.release(this.#start);
    if (this.#window.end - this.#start > MAX_RECORD_BYTES) throw this.#endless();
  }

  /** @throws FileFault as `write` */
  end(): void {
    if (!this.#parser.finish()) throw this.#endless();
  }

  /** Where the next record starts, seen from within `onRecord`: its offset in what was written, and its physical line. */
  get next(): { offset: number; line: number } {
    return { offset: this.#start, line: this.#line };
  }

  /** The bytes of the record at hand, its line break included; valid only within `onRecord`. */
  get record(): Buffer {
    return this.#window.bytes(this.#taken, this.#start);
  }

  /** @returns the physical line that the next byte would stand on */
  lineAtEnd(): number {
    return this.#line + countLineBreaks(this.#window.bytes(this.#start, this.#window.end));
  }

  #take(cells: string[]): void {
    const start = this.#start;
    const end = this.#parser.consumed;
    const line = this.#line;
    if (end - start > MAX_RECORD_BYTES) throw this.#endless();
    this.#taken = start;
    this.#start = end;
    this.#line = line + 1;
    if (this.#window.quoted) this.#takeQuoted(cells, line, start, end);
    else if (isBlank(cells)) this.#onBlankLine(line);
    else this.#onRecord(cells, line, null);
  }

  #takeQuoted(cells: string[], line: number, start: number, end: number): void {
    let breaks = 0;
    let quotes = false;
    for (const cell of cells) {
      if (!QUOTE_OR_BREAK.test(cell)) continue;
      breaks += countLineBreaks(Buffer.from(cell, 'latin1'));
      quotes ||= cell.includes('"');
    }
    this.#line += breaks;
    if (isBlank(cells) && this.#window.bytes(start, end)[0] !== QUOTE) {
      this.#onBlankLine(line);
      return;
    }
    const fault = quotes ? this.#strayQuote(this.#window.bytes(start, end), line, breaks) : null;
    this.#onRecord(cells, line, fault);
  }

  /** A stray quote spoils one row, if the record ends on its line; if it does not, nobody can tell what it swallowed. */
  #strayQuote(record: Buffer, line: number, breaks: number): RecordFault | null {
    const { stray } = scanQuotes(record, this.#delimiter);
    if (stray === null) return null;
    const message = STRAY_QUOTE[stray.kind];
    if (breaks === 0) return { code: 'stray_quote', message };
    if (stray.kind === 'after') throw unclosed(line + stray.line, 'before another one opens');
    throw faultAtLine('stray_quote', line + stray.line, `${message}; it is not certain where this row ends`);
  }

  #endless(): FileFault {
    const record = this.#window.bytes(this.#start, this.#start + MAX_RECORD_BYTES);
    const { stray, openLine } = scanQuotes(record, this.#delimiter);
    if (openLine === null) return faultAtLine('record_too_long', this.#line, 'the row is longer than 1 MiB');
    // Text behind a closing quote means that the trouble began there: that quote was meant to open.
    const first = stray?.kind === 'after' ? stray.line : openLine;
    return unclosed(this.#line + first, 'before the end of the file, or within 1 MiB');
  }
}

function isBlank(cells: string[]): boolean {
  return cells.length === 1 && cells[0]?.trim() === '';
}

function unclosed(line: number, before: string): FileFault {
  return faultAtLine('unclosed_quote', line, `the quote that opens here is not closed ${before}`);
}
