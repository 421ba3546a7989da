import type { Knex } from 'knex';
// knex has no other way to give every statement a limit, and no types for this file.
// @ts-expect-error
import Mysql2Client from 'knex/lib/dialects/mysql2/index.js';

interface Statement {
  sql: string;
  options?: object;
  timeout?: number | false;
}
type Connection = { destroy(): void };
type ClientClass = new (
  config: object,
) => { _query(connection: Connection, statement: Statement): Promise<unknown> };

/**
 * knex' client for mysql2, with a limit in milliseconds for every statement that sets none itself. Beyond it the
 * statement fails with `PROTOCOL_SEQUENCE_TIMEOUT`, and its connection is closed: the answer may never come, and whoever
 * used it next would wait behind it.
 */
export function timedClient(limitMs: number | undefined): typeof Knex.Client {
  if (limitMs === undefined) return Mysql2Client;
  class TimedClient extends (Mysql2Client as ClientClass) {
    override async _query(connection: Connection, statement: Statement): Promise<unknown> {
      const timeout = statement.timeout || limitMs;
      try {
        return await super._query(connection, { ...statement, options: { ...statement.options, timeout } });
      } catch (error) {
        if ((error as { code?: string }).code === 'PROTOCOL_SEQUENCE_TIMEOUT') connection.destroy();
        throw error;
      }
    }
  }
  return TimedClient as unknown as typeof Knex.Client;
}
