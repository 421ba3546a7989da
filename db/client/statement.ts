import type { Knex } from 'knex';
import type { ResultSetHeader } from 'mysql2';
import { acquireConnection } from './driver.js';

/** Parameters of a statement. */
export type Values = readonly (
  | string
  | number
  | null
  | Buffer
  | Date
  | readonly (string | number | Buffer)[]
)[];

/** Runs a prepared statement on a transaction's connection. The server parses its text only once per connection. */
export const executePrepared = (
  transaction: Knex.Transaction,
  sql: string,
  values: Values,
): Promise<ResultSetHeader> => run(transaction, 'execute', { sql, values });

/** Runs a prepared SELECT on a transaction's connection. Returns each row as an array of its columns. */
export const readPrepared = <Row extends unknown[]>(
  transaction: Knex.Transaction,
  sql: string,
  values: Values,
): Promise<Row[]> => run(transaction, 'execute', { sql, values, rowsAsArray: true });

/** Runs a statement whose text differs each time. knex's builder takes longer for each value, and far longer for one of bytes. */
export const executeText = (
  transaction: Knex.Transaction,
  sql: string,
  values: Values,
): Promise<ResultSetHeader> => run(transaction, 'query', { sql, values });

/** Runs a statement whose text already contains its values, escaped by the driver's `escape`. */
export const runReady = (transaction: Knex.Transaction, sql: string): Promise<ResultSetHeader> =>
  run(transaction, 'query', { sql });

/** Runs a SELECT whose text differs each time and whose parameters may be lists. Returns rows as arrays of columns. */
export const readText = <Row extends unknown[]>(
  transaction: Knex.Transaction,
  sql: string,
  values: Values,
): Promise<Row[]> => run(transaction, 'query', { sql, values, rowsAsArray: true });

async function run<Result>(
  transaction: Knex.Transaction,
  method: 'execute' | 'query',
  options: { sql: string; values?: Values; rowsAsArray?: boolean },
): Promise<Result> {
  const connection = await acquireConnection(transaction);
  return new Promise((resolve, reject) => {
    connection[method](options, (error, result) =>
      error ? reject(withoutStatement(error)) : resolve(result as Result),
    );
  });
}

/** The driver attaches the statement, which may contain values, to its errors. */
function withoutStatement(error: Error & { sql?: string }): Error {
  delete error.sql;
  return error;
}
