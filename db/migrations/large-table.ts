import type { Knex } from 'knex';
import { errorNumber } from '../client/errors.js';

/** The error of a statement on a table that does not exist. */
const NO_SUCH_TABLE = 1146;
/** Tables with fewer rows take no time worth mentioning. */
export const MENTIONED_ROWS = 100_000;

/** Waits until the server has finished other changes of a table, by a change that has no effect. */
export async function settle(database: Knex, table: string): Promise<void> {
  try {
    await database.raw("ALTER TABLE ?? COMMENT = ''", [table]);
  } catch (error) {
    if (errorNumber(error) !== NO_SUCH_TABLE) throw error;
  }
}

/** Returns the estimate of the server. */
export async function estimatedRows(database: Knex, table: string): Promise<number> {
  const [[row]] = await database.raw(
    'SELECT TABLE_ROWS AS count FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?',
    [table],
  );
  return Number(row?.count ?? 0);
}

/** Returns the names of the indexes of a table. */
export async function keyNames(database: Knex, table: string): Promise<Set<string>> {
  const [rows] = await database.raw('SHOW KEYS FROM ??', [table]);
  return new Set(rows.map((row: { Key_name: string }) => row.Key_name));
}

/** Returns a duration in words, rounded up. */
export const describeTime = (micros: number): string =>
  micros < 60e6 ? `${Math.ceil(micros / 1e6)} s` : `${Math.ceil(micros / 60e6)} minutes`;
