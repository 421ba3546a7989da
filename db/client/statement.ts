import type { Knex } from 'knex';
import type { ResultSetHeader } from 'mysql2';

interface RawConnection {
  execute(
    options: { sql: string; values?: unknown[]; rowsAsArray?: boolean },
    done: (error: Error | null, answer: unknown) => void,
  ): void;
  query: RawConnection['execute'];
}

export type Values = (string | number | null | Buffer | string[])[];

/**
 * Runs a prepared statement on a transaction's own connection: the server parses its text once. Rows in bulk are written
 * by `bulk/`.
 */
export const executePrepared = (
  transaction: Knex.Transaction,
  sql: string,
  values: Values,
): Promise<ResultSetHeader> => run(transaction, 'execute', { sql, values });

/** The same for a statement that reads; rows come as arrays of their columns. */
export const readPrepared = <Row extends unknown[]>(
  transaction: Knex.Transaction,
  sql: string,
  values: Values,
): Promise<Row[]> => run(transaction, 'execute', { sql, values, rowsAsArray: true });

/** Runs a statement that is text already, values and all, made by our own code with the driver's escape. */
export const runReady = (transaction: Knex.Transaction, sql: string): Promise<ResultSetHeader> =>
  run(transaction, 'query', { sql });

/** Reads by a statement whose text differs every time, with lists of values among its parameters. */
export const readText = <Row extends unknown[]>(
  transaction: Knex.Transaction,
  sql: string,
  values: Values,
): Promise<Row[]> => run(transaction, 'query', { sql, values, rowsAsArray: true });

async function run<Answer>(
  transaction: Knex.Transaction,
  how: 'execute' | 'query',
  options: { sql: string; values?: Values; rowsAsArray?: boolean },
): Promise<Answer> {
  const connection: RawConnection = await transaction.client.acquireConnection();
  return new Promise((resolve, reject) => {
    connection[how](options, (error, answer) => (error ? reject(error) : resolve(answer as Answer)));
  });
}
