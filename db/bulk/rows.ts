import type { Knex } from 'knex';
import { executeEncoded, HEAD_BYTES } from './execute-encoded.js';
import { WireValues } from './wire-values.js';

/** The kinds of cells that a bulk table can have. */
export type CellKind = 'text' | 'bytes' | 'id' | 'number' | 'time';

/** Type and flags of each kind of cell in MySQL's binary protocol; 0x80 is unsigned. */
const KINDS = {
  text: [0xfd, 0],
  bytes: [0xfc, 0],
  id: [0xfc, 0],
  number: [0x08, 0x80],
  time: [0x0c, 0],
} as const satisfies Record<CellKind, readonly [number, number]>;

/**
 * Rows on their way into a table, as the parameters of a prepared statement in the binary protocol. Each row is added cell by cell, in the
 * order of the table's columns. Each cell is encoded when it is added, and
 * nothing else of the row is kept. With thousands of rows kept as objects, a worker collected garbage a third more often and
 * copied more each time.
 */
export class BulkRows {
  readonly #kinds: readonly CellKind[];
  readonly #values = new WireValues();
  /** The offset in the values at which each row ends. */
  readonly #ends: number[] = [];
  /** The NULL cells, numbered over all rows, and their count up to each row. */
  readonly #nulls: number[] = [];
  readonly #nullEnds: number[] = [];
  #cells = 0;

  /** @param kinds the kinds of a row's cells, in order */
  constructor(kinds: readonly CellKind[]) {
    this.#kinds = kinds;
  }

  /** How many rows are complete. */
  get count(): number {
    return this.#ends.length;
  }

  /** Approximate bytes of all rows. */
  get size(): number {
    return this.#values.length;
  }

  /** Returns the bytes of the rows up to and including this one; 0 for -1. */
  sizeTo(row: number): number {
    return row < 0 ? 0 : (this.#ends[row] as number);
  }

  /** Completes a row. @throws Error if the row has too few or too many cells */
  endRow(): void {
    this.#ends.push(this.#values.length);
    this.#nullEnds.push(this.#nulls.length);
    if (this.#cells !== this.#ends.length * this.#kinds.length)
      throw new Error('a row has too few or too many cells');
  }

  text(text: string | null): void {
    if (text === null) this.#nulls.push(this.#cells);
    else this.#values.text(text);
    this.#cells += 1;
  }

  /** Text is stored as UTF-8. */
  bytes(bytes: Buffer | string): void {
    if (typeof bytes === 'string') this.#values.text(bytes);
    else this.#values.bytes(bytes);
    this.#cells += 1;
  }

  /** A UUID, for a column of 16 bytes. @throws Error for any other text */
  id(uuid: string | null): void {
    if (uuid === null) this.#nulls.push(this.#cells);
    else this.#values.id(uuid);
    this.#cells += 1;
  }

  /** Like {@link id}, for an id that most rows have in common: it is encoded once. */
  sharedId(uuid: string): void {
    this.#values.sharedId(uuid);
    this.#cells += 1;
  }

  /** @throws RangeError unless the value is an integer from 0 to 2^53 - 1 */
  number(value: number | null): void {
    if (value === null) this.#nulls.push(this.#cells);
    else this.#values.number(value);
    this.#cells += 1;
  }

  /** Milliseconds since 1970, stored as UTC. @throws RangeError for years before 0 or after 9999 */
  time(ms: number | null): void {
    if (ms === null) this.#nulls.push(this.#cells);
    else this.#values.time(ms);
    this.#cells += 1;
  }

  /** Executes a statement with the cells of some rows as its parameters. */
  execute(transaction: Knex.Transaction, statement: string, from: number, count: number): Promise<void> {
    return executeEncoded(transaction, statement, this.#parameters(from, count, HEAD_BYTES));
  }

  /**
   * Returns the parameters of a statement for some rows: the NULL bitmap, the flag that types follow, the types, the values.
   * @param head how many bytes to leave free at the start, so that the caller need not copy the rest
   */
  #parameters(from: number, rows: number, head: number): Buffer {
    const cells = rows * this.#kinds.length;
    const [start, end] = [this.sizeTo(from - 1), this.sizeTo(from + rows - 1)];
    const typesAt = head + ((cells + 7) >> 3) + 1;
    const valuesAt = typesAt + 2 * cells;
    const parameters = Buffer.allocUnsafe(valuesAt + end - start);
    this.#markNulls(parameters.fill(0, head, typesAt).subarray(head), from, rows);
    parameters[typesAt - 1] = 1;
    const types = Buffer.from(this.#kinds.flatMap((kind) => KINDS[kind]));
    parameters.fill(types, typesAt, valuesAt);
    this.#values.copy(parameters.subarray(valuesAt), start, end);
    return parameters;
  }

  /** Sets one bit for each NULL cell. */
  #markNulls(bits: Buffer, from: number, rows: number): void {
    const end = this.#nullEnds[from + rows - 1] as number;
    for (let i = this.#nullEnds[from - 1] ?? 0; i < end; i++) {
      const at = (this.#nulls[i] as number) - from * this.#kinds.length;
      bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
    }
  }
}
