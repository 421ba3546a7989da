import type { Assertion } from '../../db/decide.js';
import type { RunReader } from './sorted-run.js';

export interface Chunk {
  number: number;
  /** In the order of their keys, each key once. */
  assertions: Assertion[];
  /** Rows of the upload, repetitions of a key included. */
  rows: number;
  checksum: Buffer;
}

/**
 * Merges sorted runs and cuts what comes out into chunks. A key is in one chunk only, however often the upload repeats
 * it, so chunks may be written in any order and at the same time.
 */
export class ChunkCutter {
  readonly #chunkRows: number;
  /** Ordered by their present rows; of one key the run that was added first comes first. */
  readonly #readers: RunReader[];
  readonly #order = new Map<RunReader, number>();
  #number = 0;
  /** Rows whose key an earlier row of the upload has, so far. */
  repeatedRows = 0;

  constructor(readers: RunReader[], chunkRows: number) {
    this.#chunkRows = chunkRows;
    for (const [order, reader] of readers.entries()) this.#order.set(reader, order);
    this.#readers = readers.filter((reader) => reader.next());
    this.#readers.sort((a, b) => this.#compare(a, b));
  }

  /** The next chunk, or null when all rows are handed out. */
  next(): Chunk | null {
    const assertions: Assertion[] = [];
    const checksum = new Checksum();
    let rows = 0;
    while (this.#readers.length > 0 && assertions.length < this.#chunkRows) {
      const assertion = this.#takeKey(checksum);
      rows += 1 + assertion.repeats;
      assertions.push(assertion);
    }
    if (rows === 0) return null;
    return { number: this.#number++, assertions, rows, checksum: checksum.digest() };
  }

  /** Takes all rows of the next key. */
  #takeKey(checksum: Checksum): Assertion {
    const row = this.#readers[0] as RunReader;
    const { integrationId, identity, email } = row;
    checksum.add(row);
    const assertion = { integrationId, identity, first: email, email, repeats: 0, changes: 0 };
    this.#advance();
    for (let same = this.#readers[0]; same && isKey(same, integrationId, identity); same = this.#readers[0]) {
      const again = same.email;
      checksum.add(same);
      assertion.repeats += 1;
      if (again !== assertion.email) assertion.changes += 1;
      assertion.email = again;
      this.repeatedRows += 1;
      this.#advance();
    }
    return assertion;
  }

  /** Goes on in the first reader, and puts it where its new row belongs. */
  #advance(): void {
    const readers = this.#readers;
    const moved = readers[0] as RunReader;
    if (!moved.next()) return void readers.shift();
    let low = 1;
    let high = readers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(moved, readers[middle] as RunReader) > 0) low = middle + 1;
      else high = middle;
    }
    for (let at = 1; at < low; at++) readers[at - 1] = readers[at] as RunReader;
    readers[low - 1] = moved;
  }

  #compare(a: RunReader, b: RunReader): number {
    return a.compareKey(b) || (this.#order.get(a) as number) - (this.#order.get(b) as number);
  }
}

const isKey = (row: RunReader, integrationId: number, identity: string): boolean =>
  row.integrationId === integrationId && row.identity === identity;

/** A running hash over a chunk's rows, and one over its values so far: 64 bits, enough to tell that rows changed. */
class Checksum {
  #rows = 0x811c9dc5;
  #order = 0;

  add(row: RunReader): void {
    this.#rows = row.hash(this.#rows);
    this.#order = (Math.imul(this.#order, 31) + this.#rows) | 0;
  }

  digest(): Buffer {
    const bytes = Buffer.alloc(8);
    bytes.writeInt32BE(this.#rows | 0, 0);
    bytes.writeInt32BE(this.#order, 4);
    return bytes;
  }
}
