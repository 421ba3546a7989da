import type { IdentityChange } from '../../../db/identities/import-changes.js';
import { toLine } from './change-rows.js';

/**
 * The most bytes of a part before compression. A download holds one part in memory; smaller ones compress less, and a
 * larger one could exceed the largest packet that a database accepts.
 */
const PART_BYTES = 128 * 1024;
/** More than two numbers, an outcome, the commas and the line feed take. */
const OTHER_BYTES = 64;

const [COMMA, LINE_FEED, ZERO, ASCII_END] = [0x2c, 0x0a, 0x30, 0x80];

/** Which ASCII characters a plain cell contains, and which ones it starts with: the others need quotes or may start a formula. */
const CONTAINED = plainExcept('",\r\n');
const LEADING = plainExcept('",\r\n\'=+-@|');

function plainExcept(special: string): Uint8Array {
  return Uint8Array.from({ length: ASCII_END }, (_, code) =>
    special.includes(String.fromCharCode(code)) ? 0 : 1,
  );
}

/** One part is filled at a time, and copied when it is complete. */
const bytes = Buffer.allocUnsafe(PART_BYTES);

/**
 * The text of the part that is being filled. Lines whose cells are plain ASCII, which most are, are written byte by byte: that
 * takes half the time of making a text for each line (0.4 instead of 0.7 µs).
 */
export class PartText {
  #length = 0;
  #escapes = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes that escaping formulas would add. */
  get escapes(): number {
    return this.#escapes;
  }

  /** Returns a copy of the text. */
  copy(): Buffer {
    return Buffer.from(bytes.subarray(0, this.#length));
  }

  /** Adds a line. Returns false, and adds nothing, if the part has no room for it. */
  add(change: IdentityChange): boolean {
    const start = this.#length;
    const { identity, before, after } = change;
    const cells = identity.length + (before?.length ?? 0) + (after?.length ?? 0);
    if (start + cells + OTHER_BYTES > PART_BYTES) return false;
    if (this.#addPlain(change)) return true;
    this.#length = start;
    return this.#addOther(change);
  }

  /** Returns false if a cell is not plain. What has been added is then meaningless. */
  #addPlain({ integrationId, identity, before, after, outcome, place }: IdentityChange): boolean {
    this.#number(integrationId);
    this.#end(COMMA);
    if (!(this.#cell(identity) && this.#cell(before) && this.#cell(after))) return false;
    this.#ascii(outcome);
    this.#end(COMMA);
    if (place !== null) this.#number(place);
    this.#end(LINE_FEED);
    return true;
  }

  #addOther(change: IdentityChange): boolean {
    const { line, escapes } = toLine(change);
    if (this.#length + Buffer.byteLength(line) > PART_BYTES) return false;
    this.#length += bytes.write(line, this.#length);
    this.#escapes += escapes;
    return true;
  }

  #cell(text: string | null): boolean {
    if (text !== null && text !== '') {
      let at = this.#length;
      if (LEADING[text.charCodeAt(0)] !== 1) return false;
      for (let i = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (CONTAINED[code] !== 1) return false;
        bytes[at++] = code;
      }
      this.#length = at;
    }
    this.#end(COMMA);
    return true;
  }

  #ascii(text: string): void {
    let at = this.#length;
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    this.#length = at;
  }

  /** Writes the digits from the last to the first. The numbers may exceed 32 bits. */
  #number(value: number): void {
    this.#length += digitsOf(value);
    let at = this.#length;
    let rest = value;
    do {
      const tens = Math.floor(rest / 10);
      bytes[--at] = ZERO + (rest - tens * 10);
      rest = tens;
    } while (rest > 0);
  }

  #end(separator: number): void {
    bytes[this.#length++] = separator;
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let limit = 10; value >= limit; limit *= 10) digits += 1;
  return digits;
}
