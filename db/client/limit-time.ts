import type { Knex } from 'knex';
import type { Database } from './connect.js';

const GRACE_MS = 500;

/**
 * Runs a SELECT that the server itself ends after `ms`; see `isTooSlow` for how that fails. MariaDB runs what stands in
 * its `M!` comment and takes the hint for a plain comment; MySQL does it the other way round (reasoned, not run).
 */
export async function selectWithin<Row>(
  database: Database,
  query: Knex.QueryBuilder,
  ms: number,
): Promise<Row[]> {
  const { sql, bindings } = query.hintComment(`MAX_EXECUTION_TIME(${ms})`).toSQL().toNative();
  const limit = `/*M! SET STATEMENT max_statement_time=${ms / 1_000} FOR */`;
  // Our own limit is only for a server that does not keep its word.
  const statement = database.raw(`${limit} ${sql}`, bindings as Knex.RawBinding[]).timeout(ms + GRACE_MS);
  const [rows] = await statement;
  return rows;
}
