import { markCell } from '../decode/byte-text.js';

/**
 * Bytes of a record, each quote counted twice, that the rejected file contains. With its other cells the row stays
 * below the 1 MiB limit of a record, so the rejected file can always be uploaded again.
 */
const MAX_BYTES = 900 * 1024;

/** Bytes that are kept of a longer record. */
const CUT_BYTES = MAX_BYTES / 2;

const QUOTE = 0x22;
const LINE_BREAK_AT_END = /(?:\r\n|\r|\n)$/;

/**
 * Returns a record's text for the rejected file, without its line break, and with undecodable bytes as U+FFFD and
 * `\xNN`. A record that is too long is cut and ends with `…`.
 *
 * @param record bytes, undecodable ones as marks (see `byte-text.ts`)
 */
export function originalRow(record: Buffer): string {
  const fits = record.length <= CUT_BYTES || record.length + countQuotes(record) <= MAX_BYTES;
  const kept = fits ? record : record.subarray(0, startOfCharacter(record, CUT_BYTES));
  const text = markCell(kept.toString('latin1'));
  return fits ? text.replace(LINE_BREAK_AT_END, '') : `${text}…`;
}

function countQuotes(record: Buffer): number {
  let count = 0;
  for (let at = record.indexOf(QUOTE); at !== -1; at = record.indexOf(QUOTE, at + 1)) count++;
  return count;
}

/** Returns the last offset up to `at` that does not split a UTF-8 sequence or a mark. */
function startOfCharacter(record: Buffer, at: number): number {
  let start = at;
  while (start > 0 && ((record[start] ?? 0) & 0xc0) === 0x80) start--;
  return start;
}
