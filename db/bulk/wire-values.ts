import { writeUuidBinary } from './uuid-binary.js';

const START_BYTES = 16 * 1024;
/** As one that doubles, sixteen megabytes of a single event's alerts took forty-eight; four writes are under way. */
const BLOCK_BYTES = 256 * 1024;
/** A length before a text, at the most. */
const LENGTH_BYTES = 9;
/** A shorter text is written here, character by character: to call the runtime for it takes longer. */
const SHORT_TEXT = 40;
const LAST_ASCII = 0x7f;
/** From these lengths on, a length is written in another way. */
const [TWO_BYTES, THREE_BYTES, EIGHT_BYTES] = [0xfb, 0x1_0000, 0x100_0000];
const HALF = 2 ** 32;
const ID_BYTES = 16;
const TIME_BYTES = 12;
const LAST_YEAR = 9999;

/** Values one after the other, as the binary protocol of MySQL has them. */
export class WireValues {
  /** Blocks that are full, and how many bytes they are. */
  readonly #full: Buffer[] = [];
  #before = 0;
  /** The block that is written to, and how far. */
  #bytes = Buffer.allocUnsafe(START_BYTES);
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#before + this.#length;
  }

  /** As UTF-8. */
  text(text: string): void {
    this.#room(SHORT_TEXT);
    if (text.length < SHORT_TEXT && this.#ascii(text)) return;
    const length = Buffer.byteLength(text);
    this.#room(LENGTH_BYTES + length);
    this.#lengthOf(length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  bytes(bytes: Buffer): void {
    this.#room(LENGTH_BYTES + bytes.length);
    this.#lengthOf(bytes.length);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }

  /** A UUID, as 16 bytes. Throws for any other text. */
  id(uuid: string): void {
    this.#room(1 + ID_BYTES);
    this.#bytes[this.#length] = ID_BYTES;
    if (!writeUuidBinary(this.#bytes, this.#length + 1, uuid)) throw new Error('not a UUID');
    this.#length += 1 + ID_BYTES;
  }

  /** A whole number from 0 to 2^53 - 1, as 8 bytes; throws a RangeError for any other. */
  number(value: number): void {
    if (!Number.isSafeInteger(value)) throw new RangeError(`no whole number, or too great: ${value}`);
    this.#room(8);
    this.#length = this.#bytes.writeUInt32LE(value % HALF, this.#length);
    this.#length = this.#bytes.writeUInt32LE(Math.floor(value / HALF), this.#length);
  }

  /** Milliseconds since 1970, as UTC; throws a RangeError for years before 0 or after 9999. */
  time(ms: number): void {
    this.#room(TIME_BYTES);
    this.#length += encodedTime(ms).copy(this.#bytes, this.#length);
  }

  /** Copies the bytes between two places to the start of `target`. */
  copy(target: Buffer, from: number, to: number): void {
    let start = 0;
    for (const block of [...this.#full, this.#bytes.subarray(0, this.#length)]) {
      const [first, end] = [Math.max(from - start, 0), Math.min(to - start, block.length)];
      if (first < end) block.copy(target, start + first - from, first, end);
      start += block.length;
    }
  }

  #room(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    if (needed > BLOCK_BYTES) this.#nextBlock(bytes);
    else this.#enlarge(Math.min(BLOCK_BYTES, Math.max(needed, 2 * this.#bytes.length)));
  }

  #enlarge(size: number): void {
    const larger = Buffer.allocUnsafe(size);
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }

  #nextBlock(bytes: number): void {
    this.#full.push(this.#bytes.subarray(0, this.#length));
    this.#before += this.#length;
    this.#bytes = Buffer.allocUnsafe(Math.max(bytes, BLOCK_BYTES));
    this.#length = 0;
  }

  /** False when there is another character, and nothing has changed. */
  #ascii(text: string): boolean {
    const bytes = this.#bytes;
    let at = this.#length;
    bytes[at++] = text.length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > LAST_ASCII) return false;
      bytes[at++] = code;
    }
    this.#length = at;
    return true;
  }

  #lengthOf(length: number): void {
    if (length < TWO_BYTES) this.#bytes[this.#length++] = length;
    else if (length < THREE_BYTES) this.#longLength(0xfc, length, 2);
    else if (length < EIGHT_BYTES) this.#longLength(0xfd, length, 3);
    else this.#longLength(0xfe, length, 8);
  }

  #longLength(mark: number, length: number, bytes: number): void {
    this.#bytes[this.#length++] = mark;
    this.#bytes.fill(0, this.#length, this.#length + bytes);
    this.#bytes.writeUIntLE(length, this.#length, Math.min(bytes, 6));
    this.#length += bytes;
  }
}

let lastMs = Number.NaN;
let lastTime = Buffer.alloc(0);

/** Rows that come together mostly share their time. */
function encodedTime(ms: number): Buffer {
  if (ms === lastMs) return lastTime;
  const time = new Date(ms);
  const year = time.getUTCFullYear();
  // The server would store a year that it does not know as 0000-00-00, in strict mode too.
  if (!(year >= 0 && year <= LAST_YEAR)) throw new RangeError(`no time of a row: ${ms}`);
  const bytes = Buffer.allocUnsafe(TIME_BYTES);
  bytes[0] = TIME_BYTES - 1;
  bytes.writeUInt16LE(year, 1);
  bytes.set([time.getUTCMonth() + 1, time.getUTCDate()], 3);
  bytes.set([time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()], 5);
  bytes.writeUInt32LE(time.getUTCMilliseconds() * 1_000, 8);
  lastMs = ms;
  lastTime = bytes;
  return bytes;
}
