/**
 * Between decoder and record check a cell is a *byte string*: one character (U+0000–U+00FF) for each byte of
 * UTF-8. csv-parse makes these without loss or look-up, plain ASCII needs no further step, and the cells of
 * columns that nobody wants are never decoded.
 *
 * A byte that could not be decoded travels as a *mark* of 13 bytes: 0xFF, which no UTF-8 holds (RFC 3629 §3),
 * then twelve bytes 0x80–0x8F with four bits each: two for the byte, ten for its offset in the file.
 */
const MARK = /\xff([\x80-\x8f]{2})([\x80-\x8f]{10})/g;
const MARK_BYTES = 13;
const NOT_ASCII = /[\x80-\xff]/;

/** An undecodable byte and where it stands: its offset from the start of the (decompressed) file. */
export interface BadByte {
  byte: number;
  offset: number;
}

/** @returns the 13 bytes that stand for an undecodable one in the decoded stream */
export function markBadByte({ byte, offset }: BadByte): Buffer {
  const mark = Buffer.allocUnsafe(MARK_BYTES);
  mark[0] = 0xff;
  mark[1] = 0x80 | (byte >> 4);
  mark[2] = 0x80 | (byte & 0x0f);
  for (let i = MARK_BYTES - 1, rest = offset; i > 2; i--, rest = Math.floor(rest / 16))
    mark[i] = 0x80 | (rest % 16);
  return mark;
}

/** Whether a cell holds a mark. */
export function hasBadByte(cell: string): boolean {
  return cell.includes('\xff');
}

/** @returns the bytes that a cell could not be decoded from, in order */
export function badBytesOf(cell: string): BadByte[] {
  return Array.from(cell.matchAll(MARK), ([, byte, offset]) => ({
    byte: fromNibbles(byte ?? ''),
    offset: fromNibbles(offset ?? ''),
  }));
}

/** Whether a cell is plain ASCII, and so its own text. */
export function isAscii(cell: string): boolean {
  return !NOT_ASCII.test(cell);
}

/** @returns the text of a cell that holds no mark */
export function textOf(cell: string): string {
  return isAscii(cell) ? cell : Buffer.from(cell, 'latin1').toString('utf8');
}

/** @returns the text of any cell, for people: undecodable bytes as `\xNN` */
export function showCell(cell: string): string {
  return textOf(cell.replace(MARK, (_, byte: string) => showByte(fromNibbles(byte))));
}

/** @returns `\xNN`, in capitals */
export function showByte(byte: number): string {
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function fromNibbles(nibbles: string): number {
  let value = 0;
  for (let i = 0; i < nibbles.length; i++) value = value * 16 + (nibbles.charCodeAt(i) & 0x0f);
  return value;
}
