import type { Knex } from 'knex';
import type { Database } from './connect.js';
import { toDriverQuery } from './driver.js';

const GRACE_MS = 500;

/**
 * Runs a SELECT that the server ends after `ms`; it then fails with an error for which `isTooSlow` is true. MariaDB
 * executes the `M!` comment and ignores the hint; MySQL does the opposite.
 */
export async function selectWithin<Row>(
  database: Database,
  query: Knex.QueryBuilder,
  ms: number,
): Promise<Row[]> {
  const { sql, values } = toDriverQuery(query.hintComment(`MAX_EXECUTION_TIME(${ms})`));
  const limit = `/*M! SET STATEMENT max_statement_time=${ms / 1_000} FOR */`;
  // Our own limit applies only if the server does not enforce its limit.
  const [rows] = await database.raw(`${limit} ${sql}`, values).timeout(ms + GRACE_MS);
  return rows;
}
