import type { Knex } from 'knex';

/** The kinds of cells that a bulk table can have. */
export type CellKind = 'text' | 'bytes' | 'id' | 'number' | 'time';

/** Rows on their way into a table. Each row is added cell by cell, in the order of the table's columns. */
export interface BulkRows {
  /** How many rows are complete. */
  readonly count: number;
  /** Approximate bytes of all rows. */
  readonly size: number;
  /** Returns the bytes of the rows up to and including this one; 0 for -1. */
  sizeTo(row: number): number;
  text(text: string | null): void;
  /** Text is stored as UTF-8. */
  bytes(bytes: Buffer | string): void;
  /** A UUID, for a column of 16 bytes. @throws Error for any other text */
  id(uuid: string | null): void;
  /** Like {@link id}, for an id that most rows have in common: it is encoded once. */
  sharedId(uuid: string): void;
  /** @throws RangeError unless the value is an integer from 0 to 2^53 - 1 */
  number(value: number | null): void;
  /** Milliseconds since 1970, stored as UTC. @throws RangeError for years before 0 or after 9999 */
  time(ms: number | null): void;
  /** Completes a row. @throws Error if the row has too few or too many cells */
  endRow(): void;
  /** Executes a statement with the cells of some rows as its parameters. */
  execute(transaction: Knex.Transaction, statement: string, from: number, count: number): Promise<void>;
}

/** @throws RangeError unless the value is an integer from 0 to 2^53 - 1 */
export function checkNumber(value: number): void {
  if (!Number.isSafeInteger(value) || value < 0)
    throw new RangeError(`must be an integer from 0 to 2^53 - 1: ${value}`);
}

const LAST_YEAR = 9999;

/**
 * Returns a time as a date. The server would store a year that it does not know as 0000-00-00, in strict mode too.
 * @throws RangeError for years before 0 or after 9999
 */
export function toTime(ms: number): Date {
  const time = new Date(ms);
  const year = time.getUTCFullYear();
  if (!(year >= 0 && year <= LAST_YEAR)) throw new RangeError(`must be a time from year 0 to 9999: ${ms}`);
  return time;
}
