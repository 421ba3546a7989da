import { FileError, fileErrorAt } from '../record/errors.js';
import { countLineBreaks } from './quotes.js';

/** Everything before the first data record. */
export interface Preamble {
  /** The header record, without its line break. */
  bytes: Buffer;
  /** The header's physical line, from 1, for errors. */
  line: number;
  /** The delimiter that a `sep=` line names (a spreadsheet convention), or null. */
  delimiter: string | null;
  /** The offset of the first byte after the header's line break, and that byte's physical line. */
  bodyStart: number;
  bodyLine: number;
  /** The start of the file after the header, for an error that finds the header there. */
  below: Buffer;
}

/** Everything up to a line break that is not in quotes. Quotes are paired without regard to any delimiter. */
const LINE = /[^"\r\n]*(?:"[^"]*"[^"\r\n]*)*/y;
const QUOTE = 0x22;
const SEP = /^"?sep=([!#-/:-@[-^`{-~]|\t)"?$/i;

/**
 * Finds the header record: the first line that is not blank, after a `sep=` line if there is one.
 *
 * @param head the start of the decoded file
 * @param whole whether `head` is the complete file
 * @throws FileError `empty_file`, `unclosed_quote`, `header_too_long`
 */
export function readPreamble(head: Buffer, whole: boolean): Preamble {
  let delimiter: string | null = null;
  let lastLine = 1;
  for (const { start, end, line, next, nextLine } of recordsIn(head, 1)) {
    if (head[end] === QUOTE)
      throw fileErrorAt(line + countLineBreaks(head, start, end), {
        code: 'unclosed_quote',
        message: 'the quote that opens here is not closed',
      });
    if (end >= head.length - 1 && !whole) throw tooLong(line);
    const record = head.toString('latin1', start, end);
    const sep: string | undefined = delimiter === null ? SEP.exec(record)?.[1] : undefined;
    delimiter ??= sep ?? null;
    if (sep === undefined && record.trim() !== '') {
      const [bytes, below] = [head.subarray(start, end), head.subarray(next)];
      return { bytes, line, delimiter, bodyStart: next, bodyLine: nextLine, below };
    }
    lastLine = nextLine;
  }
  throw whole ? new FileError('empty_file', 'the file is empty') : tooLong(lastLine);
}

/** Yields the records of a text. One that ends at a quote opens quotes that are never closed. */
export function* recordsIn(bytes: Buffer, firstLine: number) {
  const text = bytes.toString('latin1');
  let line = firstLine;
  for (let start = 0; start < text.length; ) {
    LINE.lastIndex = start;
    const end = start + (LINE.exec(text)?.[0].length ?? 0);
    const next = Math.min(end + (text.startsWith('\r\n', end) ? 2 : 1), text.length);
    const nextLine = line + countLineBreaks(bytes, start, next);
    yield { start, end, line, next, nextLine };
    start = next;
    line = nextLine;
  }
}

/** Returns the error of a file that ends after its header. */
export const noRowsError = (): FileError => new FileError('empty_file', 'the file has a header, but no rows');

const tooLong = (line: number): FileError =>
  fileErrorAt(line, { code: 'header_too_long', message: 'no header record within the first 64 KiB' });
