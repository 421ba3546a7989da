import type { EventEmitter } from 'node:events';
import type { Knex } from 'knex';
// knex exports no type for this file, and no other way to give every statement a time limit.
// @ts-expect-error
import Mysql2Client from 'knex/lib/dialects/mysql2/index.js';

/*
 * Only this file, db/bulk/execute-encoded.ts and db/bulk/row-bytes.ts rely on internals of mysql2 and knex, which their types do not cover.
 * package.json pins both to exact versions: after an upgrade of one, run test/integration/db.
 */

interface QueryOptions {
  sql: string;
  values?: readonly unknown[];
  rowsAsArray?: boolean;
}
type Callback<Result> = (error: Error | null, result: Result) => void;

/** mysql2's connection, as far as Muster uses it. */
export interface DriverConnection extends EventEmitter {
  query(sql: string, done: Callback<unknown>): void;
  query(options: QueryOptions, done: Callback<unknown>): void;
  /** Without a callback, the query emits each row as `result`, then `end`; or `error`. */
  query(options: QueryOptions): EventEmitter;
  execute(options: QueryOptions, done: Callback<unknown>): void;
  prepare(sql: string, done: Callback<{ id: number; parameters: unknown[] }>): void;
  pause(): void;
  resume(): void;
  destroy(): void;
}

/** Takes a connection from the pool; for a transaction, returns the transaction's own connection. */
export const acquireConnection = (database: Knex): Promise<DriverConnection> =>
  database.client.acquireConnection();

/** Gives a connection back to its pool. */
export const releaseConnection = (database: Knex, connection: DriverConnection): Promise<void> =>
  database.client.releaseConnection(connection);

/**
 * Closes a connection whose rows are still arriving, so that the pool does not hand it out again. The driver's own
 * `destroy` ends the socket gracefully, which waits until the server has sent everything.
 */
export function discardConnection(connection: DriverConnection, reason: string): void {
  const inner = connection as DriverConnection & { stream: { destroy(): void }; __knex__disposed?: Error };
  inner.on('error', () => {});
  inner.__knex__disposed = new Error(reason);
  inner.stream.destroy();
}

/** Calls a function when the connection's socket is closed. */
export const onceClosed = (connection: DriverConnection, done: () => void): void =>
  void (connection as unknown as { stream: EventEmitter }).stream.once('close', done);

/** A statement as knex hands it to its client. */
export interface ClientStatement {
  sql: string;
  options?: { timeout?: number | undefined };
  timeout?: number | false;
}

/** A query of knex's builder, or raw SQL. */
export interface ClientBuilder {
  _method?: string;
  sql?: string;
}

export interface ClientRunner {
  run(): Promise<unknown>;
}

/** knex's client for one database, as far as Muster overrides it. */
export interface KnexClient {
  /** Set in a transaction. */
  transacting?: boolean;
  pool?: { numUsed(): number; max: number };
  /** How the next connection is made. */
  connectionSettings: Knex.StaticConnectionConfig;
  /** Set if the database has several hosts. */
  readonly hosts?: { readonly current: string };
  acquireConnection(): Promise<DriverConnection>;
  acquireRawConnection(): Promise<DriverConnection>;
  destroy(): Promise<void>;
  _query(connection: DriverConnection, statement: ClientStatement): Promise<unknown>;
  runner(builder: ClientBuilder): ClientRunner;
}

/** knex's client for mysql2, as a class to extend. */
export const BaseClient: new (config: object) => KnexClient = Mysql2Client;

/** Returns a client class as knex's configuration takes it. */
export const asKnexClient = (client: typeof BaseClient): typeof Knex.Client =>
  client as unknown as typeof Knex.Client;

const clientOf = ({ client }: Knex): KnexClient => client;

/** Returns the host that a database with several hosts uses now; undefined if it has one. */
export const hostInUse = (database: Knex): string | undefined => clientOf(database).hosts?.current;

/** Returns mysql2's connection options, which knex's types do not all name, as knex's configuration takes them. */
export const asKnexConnection = (options: object): Knex.StaticConnectionConfig =>
  options as Knex.StaticConnectionConfig;

/** Returns the database as a transaction; null if it is not one. */
export const asTransaction = (database: Knex): Knex.Transaction | null =>
  isTransaction(database) ? database : null;

const isTransaction = (database: Knex): database is Knex.Transaction => database.isTransaction === true;

/** Returns a table to select from that the server must read by this index. knex's types take only a table's name here. */
export const tableByIndex = (database: Knex, table: string, index: string): string =>
  database.raw('?? FORCE INDEX (??)', [table, index]) as unknown as string;

/** Returns a query as the text and the parameters that the driver takes. */
export function toDriverQuery(query: Knex.QueryBuilder): { sql: string; values: Knex.RawBinding[] } {
  const { sql, bindings } = query.toSQL().toNative();
  return { sql, values: bindings as Knex.RawBinding[] };
}
