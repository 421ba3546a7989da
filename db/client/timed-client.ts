import { setTimeout as sleep } from 'node:timers/promises';
import type { BaseClient, ClientBuilder, ClientRunner, ClientStatement, DriverConnection } from './driver.js';
import { isConnectionLost, PoolExhausted } from './errors.js';
import { RetryingClient } from './retrying-client.js';

/** A connection that died while idle fails within this time. After it, the server or the network failed just now. */
const DEAD_WITHIN_MS = 200;
/** By then the pool has noticed the other connections that died with it, and does not hand them out. */
const NOTICED_AFTER_MS = 10;
/** The errors of statements whose connection was dead before they were sent. */
const deadConnectionErrors = new WeakSet<object>();

/**
 * Returns a {@link RetryingClient}, with three more changes if there is a limit:
 * - Every statement that sets no limit itself has this one, in milliseconds. Beyond it the statement fails with
 *   `PROTOCOL_SEQUENCE_TIMEOUT` and its connection is closed: the response may never come, and the next statement on that
 *   connection would wait for it.
 * - A SELECT outside a transaction whose connection was dead is sent once more on another one. Reading twice changes nothing.
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
        if ((error as { code?: string }).code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy();
        const isDead = isConnectionLost(error) && performance.now() - sentAt < DEAD_WITHIN_MS;
        if (isDead) deadConnectionErrors.add(error as Error);
        throw error;
      }
    }

    /** Tells a full pool from a database that accepts no connection. The driver's error is the same for both. */
    override async acquireConnection(): Promise<DriverConnection> {
      try {
        return await super.acquireConnection();
      } catch (cause) {
        const isFull = this.pool !== undefined && this.pool.numUsed() >= this.pool.max;
        if ((cause as Error).name !== 'KnexTimeoutError' || !isFull) throw cause;
        throw new PoolExhausted('every connection of the pool is in use', { cause });
      }
    }

    override runner(builder: ClientBuilder): ClientRunner {
      const runner = super.runner(builder);
      if (this.transacting || !isRead(builder)) return runner;
      const run = runner.run.bind(runner);
      runner.run = () =>
        run().catch(async (error) => {
          if (!deadConnectionErrors.has(error)) throw error;
          await sleep(NOTICED_AFTER_MS);
          return super.runner(builder).run();
        });
      return runner;
    }
  }
  return TimedClient;
}

const READS = new Set(['select', 'first', 'pluck']);
const SELECT = /^\s*(?:\/\*.*?\*\/\s*)?SELECT\b/i;

const isRead = ({ _method, sql }: ClientBuilder): boolean =>
  _method === undefined ? SELECT.test(sql ?? '') : READS.has(_method);
