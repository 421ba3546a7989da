import { type FileError, fileErrorAt, type ValueError } from '../record/errors.js';

const QUOTE = 0x22;
const EQUALS = 0x3d;
const CR = 0x0d;
const LF = 0x0a;

/** Misplaced quotes in one record. Lines count from 0, at the record's first line. */
export interface QuoteScan {
  /** A quote inside an unquoted cell, or text after a closing quote: RFC 4180 §2 allows neither. */
  stray: { line: number; kind: 'inside' | 'after' } | null;
  /** The line where a cell's quote opens that the record never closes. */
  openLine: number | null;
}

/**
 * Reads the bytes of one record as csv-parse with `relax_quotes` does: text after a closing quote makes the rest of
 * the cell unquoted. csv-parse keeps such quotes without reporting them; this function tells them apart from doubled
 * quotes.
 *
 * @param record from the record's first byte to its end, with or without its line break
 * @param delimiter the delimiter's byte
 */
export function scanQuotes(record: Buffer, delimiter: number): QuoteScan {
  let stray: QuoteScan['stray'] = null;
  let line = 0;
  let cellStart = true;
  for (let at = 0; at < record.length; at++) {
    const byte = record[at];
    if (byte === QUOTE && cellStart) {
      const close = closingQuote(record, at + 1);
      if (close === -1) return { stray, openLine: line };
      if (!endsCell(record[close + 1], delimiter)) stray ??= { line, kind: 'after' };
      line += countLineBreaks(record, at, close);
      at = close;
    } else if (byte === QUOTE) {
      const end = textFormulaEnd(record, at, delimiter);
      if (end === -1) stray ??= { line, kind: 'inside' };
      else at = end;
    } else if (breaksLine(record, at)) line++;
    cellStart = byte === delimiter;
  }
  return { stray, openLine: null };
}

/** Returns the closing quote of a cell `="007"`, which programs write without further quotes; -1 if this is none. */
function textFormulaEnd(record: Buffer, quote: number, delimiter: number): number {
  if (record[quote - 1] !== EQUALS || (quote > 1 && record[quote - 2] !== delimiter)) return -1;
  let at = quote + 1;
  while (at < record.length && !endsCell(record[at], delimiter) && record[at] !== QUOTE) at++;
  return record[at] === QUOTE && endsCell(record[at + 1], delimiter) ? at : -1;
}

/** Returns the number of physical line breaks (CRLF, LF or CR) between two offsets. */
export function countLineBreaks(bytes: Buffer, from = 0, to = bytes.length): number {
  let count = 0;
  for (let at = from; at < to; at++) if (breaksLine(bytes, at)) count++;
  return count;
}

/** A CRLF counts at its LF. */
function breaksLine(bytes: Buffer, at: number): boolean {
  return bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF);
}

function closingQuote(record: Buffer, from: number): number {
  for (let at = from; at < record.length; at++) {
    if (record[at] !== QUOTE) continue;
    if (record[at + 1] !== QUOTE) return at;
    at++;
  }
  return -1;
}

function endsCell(next: number | undefined, delimiter: number): boolean {
  return next === undefined || next === delimiter || next === CR || next === LF;
}

const STRAY_QUOTE = {
  inside:
    'a quote is inside a cell that does not start with one; put the whole cell in quotes and double the quotes inside it',
  after: 'text follows a closing quote; double the quotes inside a quoted cell',
};

/**
 * Returns the row error of a record with a stray quote, or null if there is none. If the record ends on its line, only this
 * row is invalid. Otherwise nobody can tell how much of the file the quote has swallowed, so the whole file is invalid.
 *
 * @param line the record's physical line
 * @param breaks line breaks within the record
 * @throws FileError `unclosed_quote`, `stray_quote`
 */
export function strayQuoteError(stray: QuoteScan['stray'], line: number, breaks: number): ValueError | null {
  if (stray === null) return null;
  const error = { code: 'stray_quote', message: STRAY_QUOTE[stray.kind] };
  if (breaks === 0) return error;
  if (stray.kind === 'after') throw unclosed(line + stray.line, 'before another one opens');
  const message = `${error.message}. It is not certain where this row ends`;
  throw fileErrorAt(line + stray.line, { ...error, message });
}

/** Returns the error of a record that ends inside quotes or never ends, or null if it ends outside of quotes. */
export function unclosedQuoteError(
  { stray, openLine }: QuoteScan,
  line: number,
  before: string,
): FileError | null {
  if (openLine === null) return null;
  // Text after a closing quote is where the error started: that quote was meant to open a cell.
  const first = stray?.kind === 'after' ? stray.line : openLine;
  return unclosed(line + first, before);
}

const unclosed = (line: number, before: string): FileError =>
  fileErrorAt(line, { code: 'unclosed_quote', message: `the quote that opens here is not closed ${before}` });
