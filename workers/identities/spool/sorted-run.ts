import { sortRows } from './sort-rows.js';

/** Rows of a run: to sort them takes about 20 ms, in which nothing else happens. */
const MAX_ROWS = 65_536;
const MAX_BYTES = 8 * 1024 * 1024;
/** Lengths, then 255 code points of identity and 254 of e-mail at 4 bytes each. */
const MAX_FRAME_BYTES = 4 + 255 * 4 + 254 * 4;
/** Rows that a reader hands over at a time, as a rule at most. */
const BATCH_ROWS = 1_000;
/** In place of an e-mail's length: the row says that the account is to be removed. */
const NO_EMAIL = 0xffff;
const PLACE_BYTES = 4;
/** Integration id and lengths. */
const ROW_HEAD_BYTES = 12;

/** Changes with the layout of a stored row: rows of another layout cannot be read. */
export const ROW_LAYOUT = 2;

/**
 * A part of an upload, held in one buffer instead of a million objects, to be sorted by key. A row's frame is the
 * length of its identity and of its e-mail (two bytes each, little-endian), then the two in UTF-8. A drained row has its
 * place in the upload (4 bytes) and its integration id (8 bytes) before that.
 */
export class SortedRun {
  readonly #bytes = Buffer.allocUnsafeSlow(MAX_BYTES);
  readonly #starts = new Uint32Array(MAX_ROWS + 1);
  readonly #integrationIds = new Float64Array(MAX_ROWS);
  readonly #places = new Uint32Array(MAX_ROWS);
  #rows = 0;
  #end = 0;

  get rows(): number {
    return this.#rows;
  }

  get full(): boolean {
    return this.#rows === MAX_ROWS || this.#end + MAX_FRAME_BYTES > MAX_BYTES;
  }

  /** Whether it may be full before another batch has found room. */
  get nearlyFull(): boolean {
    return this.#rows + BATCH_ROWS > MAX_ROWS || this.#end + BATCH_ROWS * MAX_FRAME_BYTES > MAX_BYTES;
  }

  /** @param place line or index of the row, below 2^32; it is carried along for messages */
  add(integrationId: number, identity: string, email: string | null, place: number): void {
    const bytes = this.#bytes;
    const start = this.#end;
    const identityLength = bytes.write(identity, start + 4);
    const emailLength = email === null ? NO_EMAIL : bytes.write(email, start + 4 + identityLength);
    bytes[start] = identityLength;
    bytes[start + 1] = identityLength >> 8;
    bytes[start + 2] = emailLength;
    bytes[start + 3] = emailLength >> 8;
    this.#integrationIds[this.#rows] = integrationId;
    this.#places[this.#rows] = place;
    this.#starts[this.#rows++] = start;
    this.#end = start + 4 + identityLength + (email === null ? 0 : emailLength);
  }

  /** The rows in the order of their keys, rows of one key as they were added; then the run is empty. */
  *drain(pieceBytes: number): Generator<Buffer> {
    const order = sortRows(this.#bytes, this.#starts, this.#integrationIds, this.#rows);
    this.#starts[this.#rows] = this.#end;
    let piece = Buffer.allocUnsafe(pieceBytes);
    let end = 0;
    for (const row of order) {
      const from = this.#starts[row] as number;
      const to = this.#starts[row + 1] as number;
      if (end + PLACE_BYTES + 8 + (to - from) > pieceBytes) {
        yield piece.subarray(0, end);
        piece = Buffer.allocUnsafe(pieceBytes);
        end = 0;
      }
      end = piece.writeUInt32LE(this.#places[row] as number, end);
      end = piece.writeDoubleLE(this.#integrationIds[row] as number, end);
      // For the 60 bytes of a usual row a loop is quicker than a call of copy.
      for (let at = from; at < to; at++) piece[end++] = this.#bytes[at] as number;
    }
    yield piece.subarray(0, end);
    this.#rows = 0;
    this.#end = 0;
  }
}

/** Reads the rows of a drained run, one after the other. */
export class RunReader {
  readonly #more: () => Buffer | null;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #at = 0;
  #identityStart = 0;
  #identityEnd = 0;
  #emailEnd = 0;
  /** The first bytes of the identity as a number, so that most comparisons need no more. */
  #prefix = 0;
  integrationId = 0;

  /** `more` answers the next whole rows, or null when there are none. */
  constructor(more: () => Buffer | null) {
    this.#more = more;
  }

  /** Reads rows that are handed out piece by piece. */
  static of(pieces: Generator<Buffer>): RunReader {
    return new RunReader(() => pieces.next().value ?? null);
  }

  /** Goes to the next row; false when there is none. */
  next(): boolean {
    if (this.#at === this.#bytes.length) {
      const bytes = this.#more();
      if (bytes === null) return false;
      this.#bytes = bytes;
      this.#at = 0;
    }
    this.#readRow();
    return true;
  }

  get identity(): string {
    return this.#bytes.toString('utf8', this.#identityStart, this.#identityEnd);
  }

  get email(): string | null {
    if (this.#emailEnd < 0) return null;
    return this.#bytes.toString('utf8', this.#identityEnd, this.#emailEnd);
  }

  /** The row's line in a CSV file, or its index in a JSON array. */
  get place(): number {
    return this.#bytes.readUInt32LE(this.#start - PLACE_BYTES);
  }

  /** Mixes the row's bytes into a 32-bit hash (FNV-1a), all but its place. */
  hash(seed: number): number {
    const bytes = this.#bytes;
    const end = this.#at;
    let hash = seed;
    for (let at = this.#start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    return hash;
  }

  /** Order of the keys, as the database has it: `utf8mb4_bin` orders as the bytes of UTF-8 do. */
  compareKey(other: RunReader): number {
    if (this.integrationId !== other.integrationId) return this.integrationId - other.integrationId;
    if (this.#prefix !== other.#prefix) return this.#prefix - other.#prefix;
    return this.#bytes.compare(
      other.#bytes,
      other.#identityStart,
      other.#identityEnd,
      this.#identityStart,
      this.#identityEnd,
    );
  }

  #readRow(): void {
    const bytes = this.#bytes;
    const at = this.#at + PLACE_BYTES;
    this.#start = at;
    const identityLength = bytes.readUInt16LE(at + 8);
    const emailLength = bytes.readUInt16LE(at + 10);
    this.integrationId = bytes.readDoubleLE(at);
    this.#identityStart = at + ROW_HEAD_BYTES;
    this.#identityEnd = this.#identityStart + identityLength;
    this.#emailEnd = emailLength === NO_EMAIL ? -1 : this.#identityEnd + emailLength;
    this.#at = emailLength === NO_EMAIL ? this.#identityEnd : this.#emailEnd;
    this.#prefix = this.#readPrefix(identityLength);
  }

  #readPrefix(identityLength: number): number {
    const start = this.#identityStart;
    if (identityLength >= 6) return this.#bytes.readUIntBE(start, 6);
    return this.#bytes.readUIntBE(start, identityLength) * 256 ** (6 - identityLength);
  }
}
