import { NO_EMAIL, PLACE_BYTES, ROW_HEAD_BYTES } from './row-layout.js';

/** Bytes of an identity that a reader compares as one number. */
const PREFIX_BYTES = 6;

/** Reads the rows of a drained run, one after another. */
export class RunReader {
  readonly #more: () => Buffer | null;
  #bytes: Buffer = Buffer.alloc(0);
  #start = 0;
  #at = 0;
  #identityStart = 0;
  #identityEnd = 0;
  #emailEnd = 0;
  /** The first bytes of the identity as a number, which decide most comparisons. */
  #prefix = 0;
  integrationId = 0;

  /** @param more returns the next complete rows, or null after the last ones */
  constructor(more: () => Buffer | null) {
    this.#more = more;
  }

  /** Returns a reader of rows that arrive in pieces. */
  static of(pieces: Generator<Buffer>): RunReader {
    return new RunReader(() => pieces.next().value ?? null);
  }

  /** Moves to the next row. Returns false after the last one. */
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

  /** Mixes the row's bytes, except its place, into a 32-bit hash (FNV-1a). */
  hash(seed: number): number {
    const bytes = this.#bytes;
    const end = this.#at;
    let hash = seed;
    for (let at = this.#start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    return hash;
  }

  /** Compares keys in the order of the database: `utf8mb4_bin` has the order of the UTF-8 bytes. */
  compareKey(other: RunReader): number {
    if (this.integrationId !== other.integrationId) return this.integrationId - other.integrationId;
    if (this.#prefix !== other.#prefix) return this.#prefix - other.#prefix;
    return this.#compareIdentities(other);
  }

  /** A loop, because the identities mostly differ soon after the prefix. */
  #compareIdentities(other: RunReader): number {
    const [bytes, others] = [this.#bytes, other.#bytes];
    const [start, otherStart] = [this.#identityStart, other.#identityStart];
    const [length, otherLength] = [this.#identityEnd - start, other.#identityEnd - otherStart];
    const common = Math.min(length, otherLength);
    for (let i = PREFIX_BYTES; i < common; i++) {
      const difference = (bytes[start + i] as number) - (others[otherStart + i] as number);
      if (difference !== 0) return difference;
    }
    return length - otherLength;
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
    if (identityLength >= PREFIX_BYTES) return this.#bytes.readUIntBE(start, PREFIX_BYTES);
    return this.#bytes.readUIntBE(start, identityLength) * 256 ** (PREFIX_BYTES - identityLength);
  }
}
