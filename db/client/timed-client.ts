import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
// knex has no other way to give every statement a limit, and no types for this file.
// @ts-expect-error
import Mysql2Client from 'knex/lib/dialects/mysql2/index.js';
import { isConnectionLost, PoolExhausted } from './errors.js';

interface Statement {
  sql: string;
  options?: object;
  timeout?: number | false;
}
type Connection = { destroy(): void };
/** A query, or raw SQL. */
interface Builder {
  _method?: string;
  sql?: string;
}
type Runner = { run(): Promise<unknown> };
interface Client {
  /** There in a transaction. */
  transacting?: boolean;
  pool?: { numUsed(): number; max: number };
  acquireConnection(): Promise<Connection>;
  _query(connection: Connection, statement: Statement): Promise<unknown>;
  runner(builder: Builder): Runner;
}

/** A connection that died while it was idle says so at once; later it was the server, or the way to it. */
const AT_ONCE_MS = 200;
/** By then the pool knows of other connections that died with it, and hands out none of them. */
const NOTICED_AFTER_MS = 10;
/** How statements failed whose connection was dead before them. */
const foundDead = new WeakSet<object>();

/**
 * knex' client for mysql2, with a limit in milliseconds for every statement that sets none itself. Beyond it the
 * statement fails with `PROTOCOL_SEQUENCE_TIMEOUT`, and its connection is closed: the answer may never come, and whoever
 * used it next would wait behind it. A SELECT outside of transactions that finds its connection dead is sent once more,
 * by another one: to read twice changes nothing. When all connections of the pool stay in use, the error is `PoolExhausted`.
 */
export function timedClient(limitMs: number | undefined): typeof Knex.Client {
  if (limitMs === undefined) return Mysql2Client;
  class TimedClient extends (Mysql2Client as new (config: object) => Client) {
    override async _query(connection: Connection, statement: Statement): Promise<unknown> {
      const timeout = statement.timeout || limitMs;
      const sentAt = performance.now();
      try {
        return await super._query(connection, { ...statement, options: { ...statement.options, timeout } });
      } catch (error) {
        if ((error as { code?: string }).code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy();
        if (isConnectionLost(error) && performance.now() - sentAt < AT_ONCE_MS) foundDead.add(error as Error);
        throw error;
      }
    }

    /** The driver's error is the same for a full pool and for a database that accepts no connection. */
    override async acquireConnection(): Promise<Connection> {
      try {
        return await super.acquireConnection();
      } catch (cause) {
        const isFull = this.pool !== undefined && this.pool.numUsed() >= this.pool.max;
        if ((cause as Error).name !== 'KnexTimeoutError' || !isFull) throw cause;
        throw new PoolExhausted('every connection of the pool is in use', { cause });
      }
    }

    override runner(builder: Builder): Runner {
      const runner = super.runner(builder);
      if (this.transacting || !isRead(builder)) return runner;
      const run = runner.run.bind(runner);
      runner.run = () =>
        run().catch(async (error) => {
          if (!foundDead.has(error)) throw error;
          await sleep(NOTICED_AFTER_MS);
          return super.runner(builder).run();
        });
      return runner;
    }
  }
  return TimedClient as unknown as typeof Knex.Client;
}

const READS = new Set(['select', 'first', 'pluck']);
const SELECT = /^\s*(?:\/\*.*?\*\/\s*)?SELECT\b/i;

const isRead = ({ _method, sql }: Builder): boolean =>
  _method === undefined ? SELECT.test(sql ?? '') : READS.has(_method);
