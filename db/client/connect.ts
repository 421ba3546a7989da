import createKnex, { type Knex } from 'knex';
import { format, type SqlValue } from 'mysql2';
import { asKnexClient, asKnexConnection } from './driver.js';
import { errorNumber } from './errors.js';
import { DatabaseHosts } from './hosts/database-hosts.js';
import { hostUrls } from './hosts/host-urls.js';
import { multiHostClient } from './hosts/multi-host-client.js';
import { watchConnection } from './observe-statements.js';
import { timedClient } from './timed-client.js';

/** A pool of connections to the MySQL or MariaDB database. */
export type Database = Knex;

/** How long a check of one of several hosts may take. With 1 s, processes left hosts that were only busy. */
const CHECK_WITHIN_MS = 2_000;

export interface ConnectOptions {
  /** How many connections the pool may open. Default: 10. */
  poolMax?: number;
  /** How long to wait for a free or a new connection, in milliseconds. Default: 1500. */
  acquireTimeoutMs?: number;
  /** How long a statement may take, in milliseconds, unless it sets its own limit (knex's `timeout`). Default: no limit. */
  statementTimeoutMs?: number;
  /**
   * Whether MariaDB ends a transaction in which it receives no statement for 10 s, because the process is frozen, held or gone. This frees the
   * locks that other processes wait for. MySQL has no such limit, so its locks last until the connection is closed. Default: false.
   */
  endsIdleTransactions?: boolean;
}

/**
 * Opens a pool for `mysql://user:password@host:port/database`. The first query makes the first connection.
 * Query parameters: `socketPath` for a Unix socket, `tls=true` for TLS with a verified certificate.
 * Several `host:port`, separated by commas, are those of one cluster, see {@link DatabaseHosts}.
 */
export function connectDatabase(url: string, options: ConnectOptions = {}): Database {
  const { poolMax = 10, acquireTimeoutMs = 1_500, statementTimeoutMs, endsIdleTransactions } = options;
  const optionsOf = (host: string) => connectionOptions(host, acquireTimeoutMs);
  const client = timedClient(statementTimeoutMs);
  const hosts = hostsOf(url);
  return createKnex({
    client: asKnexClient(hosts ? multiHostClient(client, hosts, optionsOf) : client),
    connection: optionsOf(hosts?.current ?? url),
    pool: {
      min: 0,
      max: poolMax,
      afterCreate: prepareSession(endsIdleTransactions ? IDLE_TRANSACTIONS : ''),
    },
    acquireConnectionTimeout: acquireTimeoutMs,
    // knex would print statements with their values to the console.
    log: { warn() {}, error() {}, deprecate() {}, debug() {} },
  });
}

const hostsByUrl = new Map<string, DatabaseHosts>();

/** Returns the hosts that all pools of this process with the same URL share; null if the URL has one host. */
export function hostsOf(url: string): DatabaseHosts | null {
  const urls = hostUrls(url);
  if (urls.length === 1) return null;
  const hosts = hostsByUrl.get(url) ?? new DatabaseHosts(urls, openForChecks);
  hostsByUrl.set(url, hosts);
  return hosts;
}

const openForChecks = (url: string): Database =>
  connectDatabase(url, {
    poolMax: 1,
    acquireTimeoutMs: CHECK_WITHIN_MS,
    statementTimeoutMs: CHECK_WITHIN_MS,
  });

function connectionOptions(url: string, connectTimeout: number): Knex.StaticConnectionConfig {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const socketPath = searchParams.get('socketPath');
  const where = socketPath ? { socketPath } : { host: hostname, port: Number(port || 3306) };
  return asKnexConnection({
    ...where,
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...(searchParams.get('tls') === 'true' ? { ssl: { rejectUnauthorized: true } } : {}),
    charset: 'utf8mb4',
    timezone: 'Z',
    supportBigNumbers: true,
    connectTimeout,
    // Detects within minutes that the server's host is gone. With the system's default this takes hours.
    keepAliveInitialDelay: 10_000,
    // The server allows 16,382 on all connections together; the driver's default is 16,000 on each.
    maxPreparedStatements: 100,
    // -FOUND_ROWS: affected rows count changed rows only, which the counts of an import rely on.
    // -CLIENT_QUERY_ATTRIBUTES: the parameters of a statement have the same format with every server.
    flags: ['-FOUND_ROWS', '-CLIENT_QUERY_ATTRIBUTES'],
    queryFormat,
  });
}

/** Formats like the driver, but skips statements without values: searching those for `?` was a quarter of a worker's time. */
const queryFormat = (sql: string, values: SqlValue[]): string =>
  values.length === 0 ? sql : format(sql, values, false, 'Z');

type SessionStep = (error: Error | null) => void;
type RawConnection = { query(sql: string, done: SessionStep): void };
type Done = (error: Error | null, connection: RawConnection) => void;

/** net_write_timeout: an export may wait for a slow file store longer than the default of one minute. */
const SETTINGS =
  "time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', net_write_timeout = 600";
const NAMES = 'NAMES utf8mb4 COLLATE utf8mb4_bin';
/**
 * On a node of a Galera Cluster, reads, UPDATE, DELETE and new transactions first wait for what other nodes have committed.
 * Otherwise a worker would not find the job that the API just inserted through another node. Only MariaDB executes the comment.
 */
const SYNC_WAIT = '/*M!100103 wsrep_sync_wait = 3, */';
/** READ COMMITTED takes no gap locks, so concurrent imports that lock keys in order do not deadlock. */
const ISOLATION = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';
/**
 * As long as the lock on a job. `idle_write_transaction_timeout` would not end a transaction that has only locked rows so far, such as a chunk
 * of an import before its first write.
 */
const IDLE_TRANSACTIONS = '/*M!100300 idle_transaction_timeout = 10, */';
/** The error of a server that does not have a variable: MariaDB without support for Galera. */
const UNKNOWN_VARIABLE = 1193;

/** Returns a function that prepares the session of a new connection. `limits` is a part of its SET statement. */
function prepareSession(limits: string) {
  return (connection: RawConnection, done: Done): void => {
    const prepared: SessionStep = (error) => {
      watchConnection(connection);
      done(error, connection);
    };
    const isolate: SessionStep = (error) =>
      error ? done(error, connection) : connection.query(ISOLATION, prepared);
    connection.query(`SET ${SETTINGS}, ${limits} ${SYNC_WAIT} ${NAMES}`, (error) => {
      if (errorNumber(error) !== UNKNOWN_VARIABLE) isolate(error);
      else connection.query(`SET ${SETTINGS}, ${limits} ${NAMES}`, isolate);
    });
  };
}
