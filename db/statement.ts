import type { Knex } from 'knex';
import type { ResultSetHeader, RowDataPacket } from 'mysql2';

type Answer = RowDataPacket[] | ResultSetHeader;
interface RawConnection {
  query(
    options: { sql: string; values?: unknown[] },
    done: (error: Error | null, answer: Answer) => void,
  ): void;
}

/**
 * Runs one statement on a transaction's own connection. knex would walk through the text for each of thousands of
 * placeholders; the driver does it once, and without values the text goes as it is.
 */
export async function runStatement<T extends Answer>(
  transaction: Knex.Transaction,
  sql: string,
  values?: unknown[],
): Promise<T> {
  const connection: RawConnection = await transaction.client.acquireConnection();
  return new Promise((resolve, reject) => {
    connection.query(values ? { sql, values } : { sql }, (error, answer) =>
      error ? reject(error) : resolve(answer as T),
    );
  });
}
