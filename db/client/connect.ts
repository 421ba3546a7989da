import createKnex, { type Knex } from 'knex';
import { format, type SqlValue } from 'mysql2';
import { timedClient } from './timed-client.js';

/** A pool of connections to the one MySQL or MariaDB database, set up alike for every process. */
export type Database = Knex;

export interface ConnectOptions {
  /** How many connections the pool may open. */
  poolMax?: number;
  /** How long to wait for a free or a new connection, in milliseconds. */
  acquireTimeoutMs?: number;
  /** How long a statement may take, in milliseconds, unless it says otherwise itself (knex' `timeout`). No limit if not given. */
  statementTimeoutMs?: number;
}

/**
 * Opens a pool on `mysql://user:password@host:port/database`; no connection is made before the first query.
 * Query parameters: `socketPath` for a Unix socket, `tls=true` for a verified TLS connection.
 */
export function connectDatabase(url: string, options: ConnectOptions = {}): Database {
  const { poolMax = 10, acquireTimeoutMs = 1_500, statementTimeoutMs } = options;
  return createKnex({
    client: timedClient(statementTimeoutMs),
    connection: connectionOptions(url, acquireTimeoutMs),
    pool: { min: 0, max: poolMax, afterCreate: prepareSession },
    acquireConnectionTimeout: acquireTimeoutMs,
    // knex would print whole statements, values included, to the console.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}

function connectionOptions(url: string, connectTimeout: number): Knex.StaticConnectionConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const socketPath = searchParams.get('socketPath');
  const where = socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) };
  return {
    ...where,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...(searchParams.get('tls') === 'true' ? { ssl: { rejectUnauthorized: true } } : {}),
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    connectTimeout,
    // A peer that vanished without a word is noticed within minutes; by the system's default that takes hours.
    keepAliveInitialDelay: 10_000,
    // The server allows 16,382 for all its connections together; the driver alone would keep 16,000 on each.
    maxPreparedStatements: 100,
    // Affected rows must tell a changed row from a matched one: the import counts rest on it.
    // Without query attributes a statement's parameters are written in one way, whatever the server knows.
    flags: ['-FOUND_ROWS', '-CLIENT_QUERY_ATTRIBUTES'],
    queryFormat,
  } as Knex.StaticConnectionConfig;
}

/** As the driver does it, but a statement without values goes as it is: looking for `?` in it was a quarter of a worker's time. */
const queryFormat = (sql: string, values: SqlValue[]): string =>
  values.length === 0 ? sql : format(sql, values, false, 'Z');

type RawConnection = { query(sql: string, done: (error: Error | null) => void): void };
type Done = (error: Error | null, connection: RawConnection) => void;

/** READ COMMITTED: with sorted keys it takes no gap locks, so concurrent imports do not deadlock on them. */
const SESSION_STATEMENTS = [
  // net_write_timeout: an export may wait longer than the default minute for a store that is slow just now.
  "SET time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', net_write_timeout = 600, NAMES utf8mb4 COLLATE utf8mb4_bin",
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
] as const;

function prepareSession(connection: RawConnection, done: Done): void {
  const [time, isolation] = SESSION_STATEMENTS;
  connection.query(time, (error) => {
    if (error) done(error, connection);
    else connection.query(isolation, (failure) => done(failure, connection));
  });
}
