import { FileError, fileErrorAt } from '../record/errors.js';

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
export const LINE = /[^"\r\n]*(?:"[^"]*"[^"\r\n]*)*/y;
const LINE_BREAK = /\r\n|\r|\n/g;
const SEP = /^"?sep=([!#-/:-@[-^`{-~]|\t)"?$/i;

/**
 * Finds the header record: the first line that is not blank, after a `sep=` line if there is one.
 *
 * @param head the start of the decoded file
 * @param whole whether `head` is the complete file
 * @throws FileError `empty_file`, `unclosed_quote`, `header_too_long`
 */
export function readPreamble(head: Buffer, whole: boolean): Preamble {
  const text = head.toString('latin1');
  let delimiter: string | null = null;
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const end = endOfRecord(text, at, line, whole);
    const record = text.slice(at, end.at);
    const sep: string | undefined = delimiter === null ? SEP.exec(record)?.[1] : undefined;
    delimiter ??= sep ?? null;
    if (sep === undefined && record.trim() !== '') {
      const [bytes, below] = [head.subarray(at, end.at), head.subarray(end.next)];
      return { bytes, line, delimiter, bodyStart: end.next, bodyLine: line + end.lines, below };
    }
    line += end.lines;
    at = end.next;
  }
  if (!whole) throw tooLong(line);
  throw emptyFile('the file is empty');
}

/** Returns the error of a file without data rows. */
export function emptyFile(message: string): FileError {
  return new FileError('empty_file', message);
}

/** Returns the error of a file that ends after its header. */
export const noRowsError = (): FileError => emptyFile('the file has a header, but no rows');

function endOfRecord(text: string, from: number, line: number, whole: boolean) {
  LINE.lastIndex = from;
  const record = LINE.exec(text)?.[0] ?? '';
  const at = from + record.length;
  if (text[at] === '"') {
    const opened = line + countBreaks(record);
    throw fileErrorAt(opened, { code: 'unclosed_quote', message: 'the quote that opens here is not closed' });
  }
  if (at >= text.length - 1 && !whole) throw tooLong(line);
  const next = at + (text.startsWith('\r\n', at) ? 2 : 1);
  return { at, next: Math.min(next, text.length), lines: countBreaks(text.slice(from, next)) };
}

function countBreaks(text: string): number {
  return text.match(LINE_BREAK)?.length ?? 0;
}

function tooLong(line: number): FileError {
  return fileErrorAt(line, { code: 'header_too_long', message: 'no header record within the first 64 KiB' });
}
