import type { QuoteScan } from '../parse/quotes.js';
import { type FileError, faultAtLine } from './file-error.js';

/** What is wrong with a record as such. It stands alone on its line, so the next one is safe to read. */
export interface RecordFault {
  code: string;
  message: string;
}

export const TOO_LONG: RecordFault = { code: 'record_too_long', message: 'the row is longer than 1 MiB' };

const STRAY_QUOTE = {
  inside:
    'a quote stands inside a cell that does not start with one: quote the whole cell and double the quotes in it',
  after: 'text follows a closing quote: double the quotes inside a quoted cell',
};

/**
 * Returns what a stray quote makes of its record. It spoils one row if the record ends on its line. If it does not, nobody
 * can tell what the quote swallowed.
 *
 * @param line the record's physical line
 * @param breaks line breaks within the record
 * @throws FileError `unclosed_quote`, `stray_quote`
 */
export function strayQuote(stray: QuoteScan['stray'], line: number, breaks: number): RecordFault | null {
  if (stray === null) return null;
  const message = STRAY_QUOTE[stray.kind];
  if (breaks === 0) return { code: 'stray_quote', message };
  if (stray.kind === 'after') throw unclosed(line + stray.line, 'before another one opens');
  throw faultAtLine('stray_quote', line + stray.line, `${message}; it is not certain where this row ends`);
}

/** Returns the fault of a record that ends inside quotes, or does not end; null if it is outside of quotes. */
export function unclosedQuote(
  { stray, openLine }: QuoteScan,
  line: number,
  before: string,
): FileError | null {
  if (openLine === null) return null;
  // Text behind a closing quote means that the trouble began there: that quote was meant to open.
  const first = stray?.kind === 'after' ? stray.line : openLine;
  return unclosed(line + first, before);
}

function unclosed(line: number, before: string): FileError {
  return faultAtLine('unclosed_quote', line, `the quote that opens here is not closed ${before}`);
}
