import type { Knex } from 'knex';
import { type CellKind, EncodedRows } from './encoded-rows.js';
import { executeEncoded, HEAD_BYTES } from './execute-encoded.js';

/** Rows a statement: a few shapes only, because each is prepared on every connection. */
const SHAPES = [200, 64, 16, 4, 1];
/** Bytes in one statement, about: a thousand alerts of one event, each long, would otherwise be 16 MB. */
const STATEMENT_SIZE = 1_000_000;

/** A table that is written in bulk: its columns in the order in which their cells come. */
export class BulkTable {
  readonly #kinds: readonly CellKind[];
  readonly #texts: ReadonlyMap<number, string>;

  constructor(name: string, columns: Record<string, CellKind>, onDuplicate = '') {
    const names = Object.keys(columns);
    this.#kinds = Object.values(columns);
    const row = `(${names.map(() => '?').join(',')})`;
    const text = (rows: number) =>
      `INSERT INTO ${name} (${names.join(', ')}) VALUES ${new Array(rows).fill(row).join(',')}${onDuplicate}`;
    this.#texts = new Map(SHAPES.map((rows) => [rows, text(rows)]));
  }

  rows(): EncodedRows {
    return new EncodedRows(this.#kinds);
  }

  async insert(transaction: Knex.Transaction, rows: EncodedRows): Promise<void> {
    for (let from = 0; from < rows.count; ) {
      const count = SHAPES.find((shape) => shape <= fittingRows(rows, from)) ?? 1;
      const packet = rows.parameters(from, count, HEAD_BYTES);
      await executeEncoded(transaction, this.#texts.get(count) as string, packet);
      from += count;
    }
  }
}

/** How many rows from there go into one statement that any server takes: one at least. */
function fittingRows(rows: EncodedRows, from: number): number {
  const most = Math.min(SHAPES[0] as number, rows.count - from);
  const limit = rows.sizeTo(from - 1) + STATEMENT_SIZE;
  let fitting = most;
  while (fitting > 1 && rows.sizeTo(from + fitting - 1) > limit) fitting -= 1;
  return fitting;
}
