import type { Knex } from 'knex';
import { BulkRows, type CellKind } from './rows.js';

/** Rows per statement. Only a few sizes, because each is prepared on every connection. */
const STATEMENT_ROWS = [400, 200, 100, 48, 24, 12, 6, 3, 1] as const;
/** Approximate limit on the bytes of one statement: a thousand long alerts of one event would otherwise be 16 MB. */
const STATEMENT_BYTES = 1_000_000;

interface BulkTableOptions {
  /** Columns that have the same value in all rows of a statement, as SQL. */
  constants?: Record<string, string>;
  /** Columns whose value is calculated from the cell, as SQL in which `?` is the cell. */
  expressions?: Record<string, string>;
  /** Rows of the largest statement. Default: 200. Larger ones save time only for rows of few, short cells. */
  maxRows?: number;
}

/**
 * A table that is written in bulk. Its columns are in the order in which their cells are added. The rows are encoded here rather than by the
 * driver, which costs a worker 30% more CPU time for each event (`docs/architecture/storing-events.md`).
 */
export class BulkTable {
  readonly #kinds: readonly CellKind[];
  readonly #maxRows: number;
  /** With their number of rows, the largest first. */
  readonly #statements: readonly { count: number; sql: string }[];

  constructor(
    name: string,
    columns: Record<string, CellKind>,
    onDuplicate = '',
    { constants = {}, expressions = {}, maxRows = STATEMENT_ROWS[0] }: BulkTableOptions = {},
  ) {
    this.#kinds = Object.values(columns);
    const names = [...Object.keys(columns), ...Object.keys(constants)];
    const cells = Object.keys(columns).map((column) => expressions[column] ?? '?');
    const row = `(${[...cells, ...Object.values(constants)].join(',')})`;
    const statement = (rows: number) =>
      `INSERT INTO ${name} (${names.join(', ')}) VALUES ${new Array(rows).fill(row).join(',')}${onDuplicate}`;
    this.#maxRows = maxRows;
    this.#statements = [...new Set([maxRows, ...STATEMENT_ROWS])].map((count) => ({
      count,
      sql: statement(count),
    }));
  }

  /** Returns an empty list of rows for this table. */
  rows(): BulkRows {
    return new BulkRows(this.#kinds);
  }

  /** Inserts rows that {@link rows} made, in as few statements as the limits allow. */
  async insert(transaction: Knex.Transaction, rows: BulkRows): Promise<void> {
    for (let from = 0; from < rows.count; ) {
      const fitting = fittingRows(rows, from, this.#maxRows);
      const largest = this.#statements.find(({ count }) => count <= fitting);
      if (!largest) throw new Error('every table has a statement for one row');
      await rows.execute(transaction, largest.sql, from, largest.count);
      from += largest.count;
    }
  }
}

/** Returns how many of the next rows fit into one statement: at least one. */
function fittingRows(rows: BulkRows, from: number, most: number): number {
  const limit = rows.sizeTo(from - 1) + STATEMENT_BYTES;
  let fitting = Math.min(most, rows.count - from);
  while (fitting > 1 && rows.sizeTo(from + fitting - 1) > limit) fitting -= 1;
  return fitting;
}
