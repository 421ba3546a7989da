/**
 * Between the decoder and the record check a cell is a *byte string*: one character (U+0000–U+00FF) for each byte of
 * UTF-8. csv-parse creates byte strings without loss and without a lookup, plain ASCII needs no further step, and
 * cells of ignored columns are never decoded.
 *
 * A byte that could not be decoded is represented by a *mark* of 13 bytes: 0xFF, which never occurs in UTF-8 (RFC
 * 3629 §3), then twelve bytes 0x80–0x8F with four bits each: two for the byte, ten for its offset in the file. Further bytes of a cell have
 * *short marks* of 3 bytes, 0xFE and the byte: only the first one of a cell is reported with its offset.
 */
const MARK = /\xff([\x80-\x8f]{2})[\x80-\x8f]{10}|\xfe([\x80-\x8f]{2})/g;
const [MARK_BYTES, SHORT_MARK_BYTES] = [13, 3];
/** What ends a cell, besides bytes below 0x30: line breaks, commas, tabs and quotes. */
const [SEMICOLON, PIPE] = [0x3b, 0x7c];
/** U+FFFD as a byte string. */
const REPLACEMENT_UTF8 = '\xef\xbf\xbd';
const NOT_ASCII = /[\x80-\xff]/;

/** An undecodable byte and its offset from the start of the (decompressed) file. */
export interface BadByte {
  byte: number;
  offset: number;
}

/** Converts a file's bytes to UTF-8, wherever the chunks are cut. An undecodable byte becomes a mark, see {@link MarkedText}. */
export interface Decoder {
  write(chunk: Buffer): Buffer;
  /** Returns the bytes that were held back, once the file has ended. */
  end(): Buffer;
  /** Whether the output so far equals the input, byte by byte. */
  readonly isVerbatim: boolean;
}

/** Collects UTF-8 and marks. It has room for a mark for each byte of the input, and allocates only once: all of them may be undecodable. */
export class MarkedText {
  readonly #out: Buffer;
  #length = 0;
  /** Whether the cell has a mark. False again at the start of each chunk: a cell across two may have two long marks. */
  #isMarked = false;

  /** @param bytes of the input */
  constructor(bytes: number) {
    this.#out = Buffer.allocUnsafe(bytes * MARK_BYTES);
  }

  addByte(byte: number): void {
    this.#out[this.#length++] = byte;
    if (byte < 0x30 || byte === SEMICOLON || byte === PIPE) this.#isMarked = false;
  }

  /** Adds a code point. Written out, because a call of `Buffer` for each short text takes ten times as long. */
  addCode(code: number): void {
    const out = this.#out;
    if (code < 0x80) this.addByte(code);
    else if (code < 0x800) out[this.#length++] = 0xc0 | (code >> 6);
    else if (code < 0x10000) {
      out[this.#length++] = 0xe0 | (code >> 12);
      out[this.#length++] = 0x80 | ((code >> 6) & 0x3f);
    } else {
      out[this.#length++] = 0xf0 | (code >> 18);
      out[this.#length++] = 0x80 | ((code >> 12) & 0x3f);
      out[this.#length++] = 0x80 | ((code >> 6) & 0x3f);
    }
    if (code >= 0x80) out[this.#length++] = 0x80 | (code & 0x3f);
  }

  /** Adds the mark of an undecodable byte. Written out, because a file may consist of them: a loop takes twice as long. */
  addMark(byte: number, offset: number): void {
    const out = this.#out;
    const at = this.#length;
    if (this.#isMarked) {
      out[at] = 0xfe;
      out[at + 1] = 0x80 | (byte >> 4);
      out[at + 2] = 0x80 | (byte & 0x0f);
      this.#length = at + SHORT_MARK_BYTES;
      return;
    }
    this.#isMarked = true;
    // In two halves, because shifts work on 32 bits.
    const high = Math.floor(offset / 0x100000);
    const low = offset % 0x100000;
    out[at] = 0xff;
    out[at + 1] = 0x80 | (byte >> 4);
    out[at + 2] = 0x80 | (byte & 0x0f);
    out[at + 3] = 0x80 | ((high >> 16) & 0x0f);
    out[at + 4] = 0x80 | ((high >> 12) & 0x0f);
    out[at + 5] = 0x80 | ((high >> 8) & 0x0f);
    out[at + 6] = 0x80 | ((high >> 4) & 0x0f);
    out[at + 7] = 0x80 | (high & 0x0f);
    out[at + 8] = 0x80 | ((low >> 16) & 0x0f);
    out[at + 9] = 0x80 | ((low >> 12) & 0x0f);
    out[at + 10] = 0x80 | ((low >> 8) & 0x0f);
    out[at + 11] = 0x80 | ((low >> 4) & 0x0f);
    out[at + 12] = 0x80 | (low & 0x0f);
    this.#length = at + MARK_BYTES;
  }

  end(): Buffer {
    return this.#out.subarray(0, this.#length);
  }
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
    cell.replace(MARK, (_, first, other) => String.fromCharCode(fromNibbles(first ?? other))),
    'latin1',
  );
}

/** Returns the text of any cell for messages, with undecodable bytes as `\xNN`. */
export function showCell(cell: string): string {
  return textOf(cell.replace(MARK, (_, first, other) => showByte(fromNibbles(first ?? other))));
}

/**
 * Returns the text of any cell for the rejected file, with an undecodable byte as U+FFFD and `\xNN`. No field accepts
 * U+FFFD, so the cell cannot be mistaken for one that really contains the four characters `\xNN`.
 */
export function markCell(cell: string): string {
  return textOf(
    cell.replace(MARK, (_, first, other) => `${REPLACEMENT_UTF8}${showByte(fromNibbles(first ?? other))}`),
  );
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
