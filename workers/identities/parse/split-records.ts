import { countLineBreaks, scanQuotes, strayQuoteError, unclosedQuoteError } from '../header/quotes.js';
import { type FileError, fileErrorAt, type ValueError } from '../record/errors.js';
import { DirectParser } from './direct-parser.js';
import { LongRecord } from './long-record.js';
import { type EndOfText, splitPlainRecords } from './plain-records.js';
import { isBlankLine, RecordWindow, scanCells } from './record-window.js';

/** The longest record, including its line breaks: 1 MiB. It limits how much an unclosed quote can swallow. */
export const MAX_RECORD_BYTES = 1024 * 1024;

const TOO_LONG: ValueError = { code: 'record_too_long', message: 'the row is longer than 1 MiB' };

/** The bytes that csv-parse may hold back for the next call. They need not belong to the open record. */
const LOOK_AHEAD_BYTES = 3;

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

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
 * Splits bytes into records and leaves out blank lines. Where there are quotes, csv-parse does it. Most files have none, and are split at line
 * breaks and delimiters, which takes less time (docs/architecture/sorted-spool.md).
 *
 * csv-parse could count lines itself (`info: true`), but then takes twice the time and counts a quoted CRLF as two. Here a record counts as
 * one line plus, if it contains a quote, the line breaks in its cells.
 */
export class RecordSplitter {
  readonly #delimiter: string;
  readonly #onRecord: OnRecord;
  readonly #onBlankLine: (line: number) => void;
  readonly #rejectOver: number | undefined;
  /** If it is there, it has received all bytes of the open record. */
  #parser: DirectParser | null = null;
  /** Whether the last piece that was not empty ended with a CR, which is a line break with or without the next byte. */
  #heldCr = false;
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
    this.#delimiter = delimiter;
    this.#line = firstLine;
    this.#onRecord = onRecord;
    this.#onBlankLine = onBlankLine;
    this.#rejectOver = rejectOver;
  }

  /** @throws FileError `unclosed_quote`, `stray_quote`, `record_too_long` */
  write(piece: Buffer): void {
    if (this.#long) {
      this.#readLong(this.#long, piece);
      return;
    }
    this.#window.add(piece);
    if (this.#window.quoted) this.#parse(piece);
    else this.#splitPlain(piece);
    if (piece.length > 0) this.#heldCr = piece.at(-1) === CR;
    this.#window.release(this.#start);
    if (this.#window.end - this.#start > this.#maxBytes + LOOK_AHEAD_BYTES) this.#skipOpenRecord();
  }

  /** @throws FileError as `write` */
  end(): void {
    if (this.#long) this.#endLong(this.#long, this.#window.end);
    else if (this.#parser === null) this.#takePlain('end of file');
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

  get #delimiterByte(): number {
    return this.#delimiter.charCodeAt(0);
  }

  get #maxBytes(): number {
    return this.#rejectOver ?? MAX_RECORD_BYTES;
  }

  #parse(piece: Buffer): void {
    if (this.#parser) {
      this.#parser.feed(piece);
      return;
    }
    const from = this.#start;
    const parser = new DirectParser(this.#delimiter, (cells) => this.#take(cells, from + parser.consumed));
    this.#parser = parser;
    parser.feed(this.#window.bytes(from, this.#window.end));
  }

  /** A piece without line breaks only makes the open record longer, which is not read again then. The parser may have held back records. */
  #splitPlain(piece: Buffer): void {
    if (this.#parser || this.#heldCr || piece.includes(LF) || piece.includes(CR)) {
      this.#parser = null;
      this.#takePlain('more follows');
    }
  }

  #takePlain(end: EndOfText): void {
    const from = this.#start;
    const text = this.#window.bytes(from, this.#window.end).toString('latin1');
    splitPlainRecords(text, this.#delimiter, end, (cells, length) => this.#take(cells, from + length));
  }

  /** @param end the offset after the record, including its line break */
  #take(cells: string[], end: number): void {
    const start = this.#start;
    const line = this.#line;
    if (end - start > this.#maxBytes) {
      this.#takeLong(start, end);
      return;
    }
    this.#taken = start;
    this.#start = end;
    this.#line = line + 1;
    if (this.#window.quoted) this.#takeQuoted(cells, line, start, end);
    else if (isBlankLine(cells)) this.#onBlankLine(line);
    else this.#onRecord(cells, line, null);
  }

  #takeQuoted(cells: string[], line: number, start: number, end: number): void {
    const { breaks, quotes } = scanCells(cells);
    this.#line += breaks;
    if (isBlankLine(cells) && this.#window.bytes(start, end)[0] !== QUOTE) {
      this.#onBlankLine(line);
      return;
    }
    const stray = quotes ? scanQuotes(this.#window.bytes(start, end), this.#delimiterByte).stray : null;
    this.#onRecord(cells, line, strayQuoteError(stray, line, breaks));
  }

  /** Delivers a record that is too long, although it was held in memory. */
  #takeLong(start: number, end: number): void {
    if (this.#rejectOver === undefined) throw this.#endless();
    const record = this.#window.bytes(start, end);
    this.#long = new LongRecord(record, this.#delimiterByte);
    this.#long.read(record);
    this.#endLong(this.#long, end);
  }

  /** Continues without the parser, which would hold the open record in memory, until the record ends. */
  #skipOpenRecord(): void {
    if (this.#rejectOver === undefined) throw this.#endless();
    const open = this.#window.bytes(this.#start, this.#window.end);
    this.#parser = null;
    this.#long = new LongRecord(open.subarray(0, MAX_RECORD_BYTES), this.#delimiterByte);
    this.#window.restart(this.#start);
    this.#readLong(this.#long, open);
  }

  #readLong(long: LongRecord, piece: Buffer): void {
    const from = this.#window.end;
    const length = long.read(piece);
    this.#window.restart(from + (length ?? piece.length));
    if (length === null) return;
    this.#endLong(long, from + length);
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
    const unclosed = unclosedQuoteError(scanQuotes(record, this.#delimiterByte), this.#line, before);
    return unclosed ?? fileErrorAt(this.#line, TOO_LONG);
  }
}
