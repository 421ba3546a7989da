/**
 * Between the decoder and the record check a cell is a *byte string*: one character (U+0000–U+00FF) for each byte of
 * UTF-8. csv-parse creates byte strings without loss and without a lookup, plain ASCII needs no further step, and
 * cells of ignored columns are never decoded.
 *
 * A byte that could not be decoded is represented by a *mark* of 13 bytes: 0xFF, which never occurs in UTF-8 (RFC
 * 3629 §3), then twelve bytes 0x80–0x8F with four bits each: two for the byte, ten for its offset in the file.
 */
const MARK = /\xff([\x80-\x8f]{2})[\x80-\x8f]{10}/g;
const MARK_BYTES = 13;
/** U+FFFD as a byte string. */
const REPLACEMENT_UTF8 = '\xef\xbf\xbd';
const NOT_ASCII = /[\x80-\xff]/;

/** An undecodable byte and its offset from the start of the (decompressed) file. */
export interface BadByte {
  byte: number;
  offset: number;
}

/** Returns the 13 bytes that represent an undecodable byte in the decoded stream. */
export function markBadByte({ byte, offset }: BadByte): Buffer {
  const mark = Buffer.alloc(MARK_BYTES, 0xff);
  putNibbles(mark, 1, 2, byte);
  // In two halves, because shifts work on 32 bits.
  putNibbles(mark, 3, 5, Math.floor(offset / 0x100000));
  putNibbles(mark, 8, 5, offset % 0x100000);
  return mark;
}

function putNibbles(mark: Buffer, from: number, count: number, value: number): void {
  for (let i = 0; i < count; i++) mark[from + i] = 0x80 | ((value >> (4 * (count - 1 - i))) & 0x0f);
}

/** Returns whether a cell contains a mark. */
export function hasBadByte(cell: string): boolean {
  return cell.includes('\xff');
}

/** Returns the first undecodable byte of a cell that contains a mark. */
export function firstBadByte(cell: string): BadByte {
  const at = cell.indexOf('\xff') + 1;
  return {
    byte: fromNibbles(cell.slice(at, at + 2)),
    offset: fromNibbles(cell.slice(at + 2, at + MARK_BYTES - 1)),
  };
}

/** Returns whether a cell is plain ASCII. Its byte string then equals its text. */
export function isAscii(cell: string): boolean {
  return !NOT_ASCII.test(cell);
}

/** Returns the text of a cell that contains no mark. */
export function textOf(cell: string): string {
  return isAscii(cell) ? cell : Buffer.from(cell, 'latin1').toString('utf8');
}

/** Returns the bytes of a cell as they were in the file, if the file is read as UTF-8. */
export function originalBytes(cell: string): Buffer {
  return Buffer.from(
    cell.replace(MARK, (_, byte: string) => String.fromCharCode(fromNibbles(byte))),
    'latin1',
  );
}

/** Returns the text of any cell for messages, with undecodable bytes as `\xNN`. */
export function showCell(cell: string): string {
  return textOf(cell.replace(MARK, (_, byte: string) => showByte(fromNibbles(byte))));
}

/**
 * Returns the text of any cell for the rejected file, with an undecodable byte as U+FFFD and `\xNN`. No field accepts
 * U+FFFD, so the cell cannot be mistaken for one that really contains the four characters `\xNN`.
 */
export function markCell(cell: string): string {
  return textOf(cell.replace(MARK, (_, byte: string) => `${REPLACEMENT_UTF8}${showByte(fromNibbles(byte))}`));
}

/** Returns `\xNN` in upper case. */
export function showByte(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function fromNibbles(nibbles: string): number {
  let value = 0;
  for (let i = 0; i < nibbles.length; i++) value = value * 16 + (nibbles.charCodeAt(i) & 0x0f);
  return value;
}
