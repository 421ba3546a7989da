import { putShortId } from '../short-id.js';

const START_BYTES = 16 * 1024;
/** A UTF-16 unit is three bytes of UTF-8 at the most, and a length before a text nine. */
const [MOST_BYTES_A_UNIT, LENGTH_BYTES] = [3, 9];
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
  #bytes = Buffer.allocUnsafe(START_BYTES);
  #length = 0;

  /** Bytes so far. */
  get length(): number {
    return this.#length;
  }

  /** As UTF-8. */
  text(text: string): void {
    this.#room(LENGTH_BYTES + text.length * MOST_BYTES_A_UNIT);
    if (text.length < SHORT_TEXT && this.#ascii(text)) return;
    this.#lengthOf(Buffer.byteLength(text));
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
    if (!putShortId(this.#bytes, this.#length + 1, uuid)) throw new Error('not a UUID');
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
    this.#bytes.copy(target, 0, from, to);
  }

  #room(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
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
