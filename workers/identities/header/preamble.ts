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
  /** Why the header record cannot be read, if a quote in it is never closed. Then `bytes` are its first line. A title may have such a quote. */
  error: FileError | null;
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
 * @throws FileError `empty_file`, `header_too_long`
 */
export function readPreamble(head: Buffer, whole: boolean): Preamble {
  let delimiter: string | null = null;
  let lastLine = 1;
  for (const { start, end, line, next, nextLine } of recordsIn(head, 1)) {
    if (head[end] === QUOTE) return unclosed(head, { start, end, line, delimiter });
    if (end >= head.length - 1 && !whole) throw tooLong(line);
    const record = head.toString('latin1', start, end);
    const sep: string | undefined = delimiter === null ? SEP.exec(record)?.[1] : undefined;
    delimiter ??= sep ?? null;
    if (sep === undefined && record.trim() !== '') {
      const [bytes, below] = [head.subarray(start, end), head.subarray(next)];
      return { bytes, line, delimiter, bodyStart: next, bodyLine: nextLine, below, error: null };
    }
    lastLine = nextLine;
  }
  throw whole ? new FileError('empty_file', 'the file is empty') : tooLong(lastLine);
}

function unclosed(
  head: Buffer,
  { start, end, line, delimiter }: Pick<Preamble, 'line' | 'delimiter'> & { start: number; end: number },
): Preamble {
  const error = fileErrorAt(line + countLineBreaks(head, start, end), {
    code: 'unclosed_quote',
    message: 'the quote that opens here is not closed',
  });
  const { first: bytes, rest: below } = splitFirstLine(head.subarray(start));
  return { bytes, line, delimiter, bodyStart: head.length, bodyLine: line + 1, below, error };
}

/** Returns the first line of a text without its line break, whatever quotes it has, and the text after it. */
export function splitFirstLine(text: Buffer): { first: Buffer; rest: Buffer } {
  const [first = '', lineBreak = ''] = text.toString('latin1').split(/(\r\n|\r|\n)/, 2);
  return { first: text.subarray(0, first.length), rest: text.subarray(first.length + lineBreak.length) };
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

/** What `curl -d` does to a file. */
export const ONE_LINE =
  'The file is a single line: if curl sent it, use --data-binary instead of -d, which removes line breaks';

/**
 * Returns the error of a file that ends after its header.
 * @param bodyLine the physical line, from 1, after the header
 */
export function noRowsError(bodyLine: number): FileError {
  const message = 'the file has a header, but no rows';
  return new FileError('empty_file', bodyLine === 1 ? `${message}. ${ONE_LINE}` : message);
}

const tooLong = (line: number): FileError =>
  fileErrorAt(line, { code: 'header_too_long', message: 'no header record within the first 64 KiB' });
