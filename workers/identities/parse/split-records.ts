import { countLineBreaks, scanQuotes, strayQuoteError, unclosedQuoteError } from '../header/quotes.js';
import { type FileError, fileErrorAt, type ValueError } from '../record/errors.js';
import { DirectParser } from './direct-parser.js';
import { LongRecord } from './long-record.js';
import { RecordWindow } from './record-window.js';

/** The longest record, including its line breaks: 1 MiB. It limits how much an unclosed quote can swallow. */
export const MAX_RECORD_BYTES = 1024 * 1024;

const TOO_LONG: ValueError = { code: 'record_too_long', message: 'the row is longer than 1 MiB' };

/** The bytes that csv-parse may hold back for the next call. They need not belong to the open record. */
const LOOK_AHEAD_BYTES = 3;

const QUOTE = 0x22;
const QUOTE_OR_BREAK = /["\r\n]/;

/**
 * @param cells byte strings (see `byte-text.ts`)
 * @param line the physical line, from 1, where the record starts
 * @param error the error of the record as a whole, if it has one
 */
export type OnRecord = (cells: string[], line: number, error: ValueError | null) => void;

export interface SplitterOptions {
  onBlankLine?: (line: number) => void;
  /**
   * Longer records, in bytes, are delivered without cells, with the error `record_too_long`. Otherwise the first such
   * record ends the reading.
   */
  rejectOver?: number | undefined;
}

/**
 * Splits bytes into records and leaves out blank lines. csv-parse could count lines itself (`info: true`), but then
 * takes twice the time and counts a quoted CRLF as two. Here a record counts as one line plus, if it contains a
 * quote, the line breaks in its cells.
 */
export class RecordSplitter {
  readonly #delimiter: number;
  readonly #onRecord: OnRecord;
  readonly #onBlankLine: (line: number) => void;
  readonly #rejectOver: number | undefined;
  #parser: DirectParser;
  /** The offset of the first byte that the parser received. */
  #parsedFrom = 0;
  /** The open record, if it is too long. The parser does not read it. */
  #long: LongRecord | null = null;
  readonly #window = new RecordWindow();
  /** Where the open record starts: its physical line, and its offset in the written bytes. */
  #line: number;
  #start = 0;
  /** Where the record starts that is being delivered. */
  #taken = 0;

  /**
   * @param delimiter one ASCII character
   * @param firstLine the physical line of the first byte
   */
  constructor(
    delimiter: string,
    firstLine: number,
    onRecord: OnRecord,
    { onBlankLine = () => {}, rejectOver }: SplitterOptions = {},
  ) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#line = firstLine;
    this.#onRecord = onRecord;
    this.#onBlankLine = onBlankLine;
    this.#rejectOver = rejectOver;
    this.#parser = this.#newParser();
  }

  /** @throws FileError `unclosed_quote`, `stray_quote`, `record_too_long` */
  write(piece: Buffer): void {
    if (this.#long) {
      this.#readLong(this.#long, piece);
      return;
    }
    this.#window.add(piece);
    this.#parser.feed(piece);
    this.#window.release(this.#start);
    if (this.#window.end - this.#start > this.#maxBytes + LOOK_AHEAD_BYTES) this.#skipOpenRecord();
  }

  /** @throws FileError as `write` */
  end(): void {
    if (this.#long) this.#endLong(this.#long, this.#window.end);
    else if (!this.#parser.finish()) throw this.#endless();
  }

  /**
   * Where the next record starts, for use within `onRecord`: its offset in the written bytes, and its physical line.
   */
  get next(): { offset: number; line: number } {
    return { offset: this.#start, line: this.#line };
  }

  /** The bytes of the current record, including its line break; valid only within `onRecord`. */
  get record(): Buffer {
    return this.#long?.start ?? this.#window.bytes(this.#taken, this.#start);
  }

  /** Returns the physical line of the next byte. */
  lineAtEnd(): number {
    const breaks = this.#long?.breaks ?? countLineBreaks(this.#window.bytes(this.#start, this.#window.end));
    return this.#line + breaks;
  }

  get #maxBytes(): number {
    return this.#rejectOver ?? MAX_RECORD_BYTES;
  }

  #newParser(): DirectParser {
    return new DirectParser(String.fromCharCode(this.#delimiter), (cells) => this.#take(cells));
  }

  #take(cells: string[]): void {
    const start = this.#start;
    const end = this.#parsedFrom + this.#parser.consumed;
    const line = this.#line;
    if (end - start > this.#maxBytes) {
      this.#takeLong(start, end);
      return;
    }
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
    const { stray } = quotes ? scanQuotes(this.#window.bytes(start, end), this.#delimiter) : NO_STRAY_QUOTE;
    this.#onRecord(cells, line, strayQuoteError(stray, line, breaks));
  }

  /** Delivers a record that is too long, although it was held in memory. */
  #takeLong(start: number, end: number): void {
    if (this.#rejectOver === undefined) throw this.#endless();
    const record = this.#window.bytes(start, end);
    this.#long = new LongRecord(record, this.#delimiter);
    this.#long.read(record);
    this.#endLong(this.#long, end);
  }

  /** Continues without the parser, which would hold the open record in memory, until the record ends. */
  #skipOpenRecord(): void {
    if (this.#rejectOver === undefined) throw this.#endless();
    const open = this.#window.bytes(this.#start, this.#window.end);
    this.#long = new LongRecord(open.subarray(0, MAX_RECORD_BYTES), this.#delimiter);
    this.#window.restart(this.#start);
    this.#readLong(this.#long, open);
  }

  #readLong(long: LongRecord, piece: Buffer): void {
    const from = this.#window.end;
    const length = long.read(piece);
    this.#window.restart(from + (length ?? piece.length));
    if (length === null) return;
    this.#endLong(long, from + length);
    this.#parser = this.#newParser();
    this.#parsedFrom = from + length;
    if (length < piece.length) this.write(piece.subarray(length));
  }

  #endLong(long: LongRecord, end: number): void {
    const line = this.#line;
    const unclosed = unclosedQuoteError(long, line, 'before the end of the file');
    if (unclosed) throw unclosed;
    strayQuoteError(long.stray, line, long.breaks);
    this.#start = end;
    this.#line = line + 1 + long.breaks;
    this.#onRecord([], line, TOO_LONG);
    this.#long = null;
  }

  #endless(): FileError {
    const record = this.#window.bytes(this.#start, this.#start + MAX_RECORD_BYTES);
    const before = 'before the end of the file, or within 1 MiB';
    const unclosed = unclosedQuoteError(scanQuotes(record, this.#delimiter), this.#line, before);
    return unclosed ?? fileErrorAt(this.#line, TOO_LONG);
  }
}

const NO_STRAY_QUOTE = { stray: null };

function isBlank(cells: string[]): boolean {
  return cells.length === 1 && cells[0]?.trim() === '';
}
