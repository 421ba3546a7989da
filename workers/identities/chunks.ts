import type { Assertion } from '../../db/identities/import-outcome.js';
import type { IdentityStep } from './identity-steps.js';
import { Contradictions } from './repeated-keys.js';
import type { RunReader } from './spool/run-reader.js';

/** Its `rows` are those of the upload, including those that repeat a key. */
export type Chunk = IdentityStep<Assertion>;

/**
 * Rows that are merged without a break, however few keys they have. They take about 50 ms, in which nothing else
 * runs.
 */
const STRETCH_ROWS = 50_000;

/**
 * Merges sorted runs and cuts the result into chunks. All rows of a key are in one chunk, so chunks may be written in
 * any order and at the same time.
 */
export class ChunkCutter {
  readonly #chunkRows: number;
  /** Ordered by their current rows; for equal keys, the run that was added first comes first. */
  readonly #readers: RunReader[];
  readonly #order = new Map<RunReader, number>();
  #number = 0;
  #assertions: Assertion[] = [];
  #rows = 0;
  #checksum = new Checksum();
  /** The place of the first row of the last key. */
  #firstPlace = 0;
  /** Rows so far that repeat the key of an earlier row. */
  repeatedRows = 0;
  /** Keys so far whose rows name different owners. */
  readonly contradictions = new Contradictions();

  constructor(readers: RunReader[], chunkRows: number) {
    this.#chunkRows = chunkRows;
    for (const [order, reader] of readers.entries()) this.#order.set(reader, order);
    this.#readers = readers.filter((reader) => reader.next());
    this.#readers.sort((a, b) => this.#compare(a, b));
  }

  /**
   * Returns the next chunk; null after the last one; `unfinished` if gathering it takes longer, so that the caller
   * can call again.
   */
  next(): Chunk | 'unfinished' | null {
    for (let taken = 0; ; taken++) {
      const first = this.#readers[0];
      if (!first) break;
      if (taken === STRETCH_ROWS) return 'unfinished';
      if (!this.#take(first)) return this.#cut();
      this.#advance(first);
    }
    return this.#rows > 0 ? this.#cut() : null;
  }

  /** Adds a row to the chunk. Returns false if the chunk is full and the row has a new key. */
  #take(row: RunReader): boolean {
    const { integrationId, identity, email } = row;
    const last = this.#assertions.at(-1);
    if (last && last.integrationId === integrationId && last.identity === identity) {
      this.#repeat(last, row, email);
    } else {
      if (this.#assertions.length === this.#chunkRows) return false;
      const { place } = row;
      this.#assertions.push({ integrationId, identity, first: email, email, repeats: 0, changes: 0, place });
      this.#firstPlace = place;
    }
    this.#checksum.add(row);
    this.#rows += 1;
    return true;
  }

  #repeat(assertion: Assertion, row: RunReader, email: string | null): void {
    assertion.repeats += 1;
    assertion.place = row.place;
    this.repeatedRows += 1;
    if (email === assertion.email) return;
    const owner = { email, place: row.place };
    if (assertion.changes === 0) {
      this.contradictions.add(assertion, { email: assertion.email, place: this.#firstPlace }, owner);
    } else this.contradictions.addOwner(owner);
    assertion.changes += 1;
    assertion.email = email;
  }

  #cut(): Chunk {
    const checksum = this.#checksum.digest();
    const chunk = { number: this.#number++, assertions: this.#assertions, rows: this.#rows, checksum };
    this.#assertions = [];
    this.#rows = 0;
    this.#checksum = new Checksum();
    return chunk;
  }

  /** Moves the first reader to its next row, and the reader to the position where that row belongs. */
  #advance(moved: RunReader): void {
    const readers = this.#readers;
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

/**
 * A running hash over a chunk's rows, and one over the values of the first so far: 64 bits, enough to notice changed
 * rows.
 */
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
