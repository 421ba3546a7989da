import {
  BaseClient,
  type ClientBuilder,
  type ClientRunner,
  type ClientStatement,
  type DriverConnection,
  discardConnection,
} from './driver.js';
import { repeatConflicts } from './repeat-conflicts.js';

/** As knex sends them. */
const ROLLBACK = 'ROLLBACK';
const BOUNDARIES = new Set(['BEGIN;', 'COMMIT;', ROLLBACK]);
/** knex waits 5 s for a ROLLBACK, then gives its connection back. */
const ROLLBACK_WITHIN_MS = 4_000;

/**
 * knex's client for mysql2, with two changes:
 * - It repeats a single statement, outside a transaction, if it was rolled back because of another transaction. On one server this is
 *   rare. In a cluster, any write can fail so, because another node wrote the row.
 * - It closes the connection of a transaction whose BEGIN, COMMIT or ROLLBACK failed, or whose ROLLBACK takes too long. A Galera node that
 *   has left its group refuses all three and keeps the transaction open. knex gives the connection back to the pool, and the next BEGIN on
 *   it would commit what the failed transaction wrote.
 */
export class RetryingClient extends BaseClient {
  override async _query(connection: DriverConnection, statement: ClientStatement): Promise<unknown> {
    try {
      return await super._query(connection, statement.sql === ROLLBACK ? limited(statement) : statement);
    } catch (error) {
      if (BOUNDARIES.has(statement.sql))
        discardConnection(connection, 'its transaction failed to begin or to end');
      throw error;
    }
  }

  override runner(builder: ClientBuilder): ClientRunner {
    const runner = super.runner(builder);
    if (this.transacting) return runner;
    runner.run = () => repeatConflicts(() => super.runner(builder).run());
    return runner;
  }
}

function limited(statement: ClientStatement): ClientStatement {
  const { timeout = Number.POSITIVE_INFINITY } = (statement.options ?? {}) as { timeout?: number };
  return {
    ...statement,
    options: { ...statement.options, timeout: Math.min(timeout, ROLLBACK_WITHIN_MS) },
  };
}
