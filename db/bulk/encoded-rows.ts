import { WireValues } from './wire-values.js';

/** The kinds of cells, with their type and flags in the binary protocol of MySQL (0x80: unsigned). */
const KINDS = {
  text: [0xfd, 0],
  bytes: [0xfc, 0],
  id: [0xfc, 0],
  number: [0x08, 0x80],
  time: [0x0c, 0],
} as const satisfies Record<string, readonly [number, number]>;

/** A kind of cell; a cell is written by the method of that name. */
export type CellKind = keyof typeof KINDS;

/**
 * Rows as the parameters of a prepared statement. Cells become bytes as they come, so that nothing else of a row is kept
 * until it is sent: with thousands of rows in hand as objects, a worker collected garbage a third more often, and copied more each time.
 */
export class EncodedRows {
  readonly #kinds: readonly CellKind[];
  readonly #values = new WireValues();
  /** Where each row ends in the values. */
  readonly #ends: number[] = [];
  /** Which cells are NULL, counted over all rows, and how many are up to each row. */
  readonly #nulls: number[] = [];
  readonly #nullEnds: number[] = [];
  #cells = 0;

  /** @param kinds a row's cells, in the order in which they will come */
  constructor(kinds: readonly CellKind[]) {
    this.#kinds = kinds;
  }

  get count(): number {
    return this.#ends.length;
  }

  /** Bytes of all rows. */
  get size(): number {
    return this.#values.length;
  }

  /** Bytes of the rows up to this one, and of it. */
  sizeTo(row: number): number {
    return row < 0 ? 0 : (this.#ends[row] as number);
  }

  /** To be called when a row has all its cells. */
  endRow(): void {
    this.#ends.push(this.#values.length);
    this.#nullEnds.push(this.#nulls.length);
    if (this.#cells !== this.#ends.length * this.#kinds.length) throw new Error('a row has other cells');
  }

  text(text: string | null): void {
    if (text === null) this.#nulls.push(this.#cells);
    else this.#values.text(text);
    this.#cells += 1;
  }

  /** A text is written as UTF-8. */
  bytes(bytes: Buffer | string): void {
    if (typeof bytes === 'string') this.#values.text(bytes);
    else this.#values.bytes(bytes);
    this.#cells += 1;
  }

  /** A UUID, for a column of 16 bytes. Throws for any other text. */
  id(uuid: string): void {
    this.#values.id(uuid);
    this.#cells += 1;
  }

  /** A whole number from 0 to 2^53 - 1; throws a RangeError for any other. */
  number(value: number): void {
    this.#values.number(value);
    this.#cells += 1;
  }

  /** Milliseconds since 1970, as UTC; throws a RangeError for years before 0 or after 9999. */
  time(ms: number): void {
    this.#values.time(ms);
    this.#cells += 1;
  }

  /**
   * The parameters of a statement of so many rows: which are NULL, that types follow, types, values.
   *
   * @param head so many bytes are left free before them, so that they need not be copied
   */
  parameters(from: number, rows: number, head: number): Buffer {
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

  /** A bit a cell. */
  #markNulls(bits: Buffer, from: number, rows: number): void {
    const end = this.#nullEnds[from + rows - 1] as number;
    for (let i = this.#nullEnds[from - 1] ?? 0; i < end; i++) {
      const at = (this.#nulls[i] as number) - from * this.#kinds.length;
      bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
    }
  }
}
