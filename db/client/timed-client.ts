import { setTimeout as sleep } from 'node:timers/promises';
import {
  BaseClient,
  type ClientBuilder,
  type ClientRunner,
  type ClientStatement,
  type DriverConnection,
  discardConnection,
} from './driver.js';
import { isConnectionLost, isKnexTimeout, isSequenceTimeout, isUnsent, PoolExhausted } from './errors.js';
import { repeatConflicts } from './repeat-conflicts.js';

/** A connection that died while idle fails within this time. After it, the server or the network failed just now. */
const DEAD_WITHIN_MS = 200;
/** By then the pool has usually noticed the other connections that died with it, and does not hand them out. */
const NOTICED_AFTER_MS = 10;
/** Connections that may be dead, if it is not known how many the pool has. */
const MAX_DEAD = 10;
/** The errors of statements whose connection was dead before they were sent. */
const deadConnectionErrors = new WeakSet<Error>();

/**
 * Returns a {@link RetryingClient}, with three more changes if there is a limit:
 * - Every statement that sets no limit itself has this one, in milliseconds. Beyond it the statement fails with
 *   `PROTOCOL_SEQUENCE_TIMEOUT` and its connection is closed: the response may never come, and the next statement on that
 *   connection would wait for it.
 * - A SELECT outside a transaction whose connection was dead is sent again on another one, until each connection of the pool may have been
 *   dead. Reading twice changes nothing.
 * - If all connections of the pool stay in use, the error is `PoolExhausted`.
 */
export function timedClient(limitMs: number | undefined): typeof BaseClient {
  if (limitMs === undefined) return RetryingClient;
  class TimedClient extends RetryingClient {
    override async _query(connection: DriverConnection, statement: ClientStatement): Promise<unknown> {
      const timeout = statement.timeout || limitMs;
      const sentAt = performance.now();
      try {
        return await super._query(connection, { ...statement, options: { ...statement.options, timeout } });
      } catch (error) {
        if (isSequenceTimeout(error)) connection.destroy();
        const isDead =
          isConnectionLost(error) && (isUnsent(error) || performance.now() - sentAt < DEAD_WITHIN_MS);
        if (isDead && error instanceof Error) deadConnectionErrors.add(error);
        throw error;
      }
    }

    /** Tells a full pool from a database that accepts no connection. The driver's error is the same for both. */
    override async acquireConnection(): Promise<DriverConnection> {
      try {
        return await super.acquireConnection();
      } catch (cause) {
        const isFull = this.pool !== undefined && this.pool.numUsed() >= this.pool.max;
        if (!isKnexTimeout(cause) || !isFull) throw cause;
        throw new PoolExhausted('every connection of the pool is in use', { cause });
      }
    }

    override runner(builder: ClientBuilder): ClientRunner {
      const runner = super.runner(builder);
      if (this.transacting || !isRead(builder)) return runner;
      const run = runner.run.bind(runner);
      runner.run = () => this.#runUnlessDead(run, () => super.runner(builder).run());
      return runner;
    }

    /** Runs a statement. While its connection was dead, runs it again. */
    async #runUnlessDead(first: () => Promise<unknown>, again: () => Promise<unknown>): Promise<unknown> {
      let run = first;
      for (let others = this.pool?.max ?? MAX_DEAD; ; others--) {
        try {
          return await run();
        } catch (error) {
          if (others === 0 || !(error instanceof Error) || !deadConnectionErrors.has(error)) throw error;
        }
        await sleep(NOTICED_AFTER_MS);
        run = again;
      }
    }
  }
  return TimedClient;
}

const READS = new Set(['select', 'first', 'pluck']);
const SELECT = /^\s*(?:\/\*.*?\*\/\s*)?SELECT\b/i;

const isRead = ({ _method, sql }: ClientBuilder): boolean =>
  _method === undefined ? SELECT.test(sql ?? '') : READS.has(_method);

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
class RetryingClient extends BaseClient {
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
  const { timeout = Number.POSITIVE_INFINITY } = statement.options ?? {};
  return {
    ...statement,
    options: { ...statement.options, timeout: Math.min(timeout, ROLLBACK_WITHIN_MS) },
  };
}
