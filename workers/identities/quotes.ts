const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;

/** Where quotes go wrong in one record. Lines count from 0, at the record's first. */
export interface QuoteScan {
  /** A quote inside an unquoted cell, or text behind a closing quote: RFC 4180 §2 allows neither. */
  stray: { line: number; kind: 'inside' | 'after' } | null;
  /** The line on which a cell's quote opens that the record never closes. */
  openLine: number | null;
}

/**
 * Reads the bytes of one record as csv-parse with `relax_quotes` does: text behind a closing quote makes the
 * rest of the cell unquoted. csv-parse keeps such quotes and does not say so; this tells them from doubled ones.
 *
 * @param record from the record's first byte to its end, its line break included or not
 * @param delimiter the delimiter's byte
 */
export function scanQuotes(record: Buffer, delimiter: number): QuoteScan {
  const scan: QuoteScan = { stray: null, openLine: null };
  let line = 0;
  let cellStart = true;
  for (let i = 0; i < record.length; i++) {
    const byte = record[i];
    if (byte === QUOTE && cellStart) {
      const close = closingQuote(record, i + 1);
      if (close === -1) return { ...scan, openLine: line };
      const opened = line;
      line += countLineBreaks(record.subarray(i, close));
      if (!endsCell(record[close + 1], delimiter)) scan.stray ??= { line: opened, kind: 'after' };
      i = close;
      cellStart = false;
      continue;
    }
    if (byte === QUOTE) scan.stray ??= { line, kind: 'inside' };
    if (byte === LF || (byte === CR && record[i + 1] !== LF)) line++;
    cellStart = byte === delimiter;
  }
  return scan;
}

/** @returns the number of physical line breaks, CRLF, LF or CR, in some bytes */
export function countLineBreaks(bytes: Buffer): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === LF || (bytes[i] === CR && bytes[i + 1] !== LF)) count++;
  }
  return count;
}

function closingQuote(record: Buffer, from: number): number {
  let at = record.indexOf(QUOTE, from);
  while (at !== -1 && record[at + 1] === QUOTE) at = record.indexOf(QUOTE, at + 2);
  return at;
}

function endsCell(next: number | undefined, delimiter: number): boolean {
  return next === undefined || next === delimiter || next === CR || next === LF;
}
