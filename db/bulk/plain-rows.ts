import type { Knex } from 'knex';
import { executePrepared } from '../client/statement.js';
import { type BulkRows, type CellKind, checkNumber, toTime } from './rows.js';
import { UUID_BYTES, writeUuidBinary } from './uuid-binary.js';

type Value = string | number | Buffer | Date | null;

/** Rows as values that the driver itself encodes. */
export class PlainRows implements BulkRows {
  readonly #columns: number;
  readonly #values: Value[] = [];
  /** The size of all rows up to each row. */
  readonly #ends: number[] = [];
  #size = 0;

  constructor(kinds: readonly CellKind[]) {
    this.#columns = kinds.length;
  }

  get count(): number {
    return this.#ends.length;
  }

  get size(): number {
    return this.#size;
  }

  sizeTo(row: number): number {
    return row < 0 ? 0 : (this.#ends[row] as number);
  }

  endRow(): void {
    this.#ends.push(this.#size);
    if (this.#values.length !== this.#ends.length * this.#columns)
      throw new Error('a row has too few or too many cells');
  }

  text(text: string | null): void {
    this.#add(text, text?.length ?? 0);
  }

  bytes(bytes: Buffer | string): void {
    this.#add(bytes, bytes.length);
  }

  id(uuid: string | null): void {
    if (uuid === null) {
      this.#add(null, 0);
      return;
    }
    const id = Buffer.allocUnsafe(UUID_BYTES);
    if (!writeUuidBinary(id, 0, uuid)) throw new Error('not a UUID');
    this.#add(id, UUID_BYTES);
  }

  sharedId(uuid: string): void {
    this.id(uuid);
  }

  number(value: number | null): void {
    if (value !== null) checkNumber(value);
    this.#add(value, 8);
  }

  time(ms: number | null): void {
    this.#add(ms === null ? null : toTime(ms), 12);
  }

  async execute(
    transaction: Knex.Transaction,
    statement: string,
    from: number,
    count: number,
  ): Promise<void> {
    const values = this.#values.slice(from * this.#columns, (from + count) * this.#columns);
    await executePrepared(transaction, statement, values);
  }

  #add(value: Value, size: number): void {
    this.#values.push(value);
    this.#size += size;
  }
}
