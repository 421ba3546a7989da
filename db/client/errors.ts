/* What a failed statement means for the caller. */

import { DeadlineExceeded } from './deadline.js';
import {
  CONFLICT_IN_COMMIT,
  CONFLICTS,
  IN_COMMIT,
  SESSION_ENDED,
  SHARD_UNAVAILABLE,
  UNAVAILABLE,
  UNKNOWN,
} from './error-numbers.js';

const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
]);

/** All connections of the pool stayed in use. The database may be fine, with too many statements at once. */
export class PoolExhausted extends Error {
  override name = 'PoolExhausted';
}

/** The database does not respond to a probe. */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent';
}

/** Messages of driver errors that have no code. knex prepends the statement, for example its own ROLLBACK. */
const CLOSED =
  /(?:^|- )(?:Connection lost: The server closed the connection\.|Can't add new command when connection is in closed state)$/;

interface DriverError {
  name?: string;
  message?: string;
  code?: string;
  errno?: number;
  syscall?: string;
  fatal?: boolean;
  sqlState?: string;
  sqlMessage?: string;
}

/** Returns what was thrown as an error of the driver, all of whose properties may be absent. */
const asDriverError = (error: unknown): DriverError =>
  typeof error === 'object' && error !== null ? error : {};

/** Returns the server's number of an error; 0 for any other error. */
export const errorNumber = (error: unknown): number => asDriverError(error).errno ?? 0;

/** Returns the driver's code of an error, such as `ER_DATA_TOO_LONG`; undefined if it has none. */
export const errorCode = (error: unknown): string | undefined => asDriverError(error).code;

/** Returns whether knex's own time limit passed, for a connection or for a statement. */
export const isKnexTimeout = (error: unknown): boolean => asDriverError(error).name === 'KnexTimeoutError';

/** Returns whether the transaction conflicted with another one, so that it should be repeated at once. */
export function isConflict(error: unknown): boolean {
  const { errno = 0, sqlMessage = '' } = asDriverError(error);
  return CONFLICTS.has(errno) || (errno === IN_COMMIT && sqlMessage.startsWith(CONFLICT_IN_COMMIT));
}

/** The connection failed during COMMIT, and the result could not be queried. `cause` is the original error. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown';

  constructor(cause: unknown) {
    super('it is unknown whether the transaction was committed', { cause });
  }
}

/** The disk is full; the table cannot grow. */
const FULL_NUMBERS = new Set([1021, 1114]);
/** A file could not be written. The message contains the operating system's error number. */
const WRITE_FAILED_NUMBERS = new Set([3, 1026, 1030]);
const NO_SPACE = /\b28\b/;

/** Returns whether the database's disk is full. Nothing was changed, and the same statement may succeed later. */
export function isDatabaseFull(error: unknown): boolean {
  const { errno = 0, sqlMessage = '' } = asDriverError(error);
  return FULL_NUMBERS.has(errno) || (WRITE_FAILED_NUMBERS.has(errno) && NO_SPACE.test(sqlMessage));
}

/**
 * Returns whether the database could not be reached or was shutting down; the statement itself may be valid. Also true for
 * an exhausted pool, because workers wait for both. To tell them apart, check for {@link PoolExhausted} first.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknown) return true;
  const { code, errno = 0, syscall, message = '', sqlMessage = '' } = asDriverError(error);
  if (isKnexTimeout(error)) return true;
  if (error instanceof PoolExhausted || error instanceof DatabaseSilent) return true;
  if (UNAVAILABLE.has(errno) || isDatabaseFull(error)) return true;
  if (errno === UNKNOWN && SHARD_UNAVAILABLE.some((text) => sqlMessage.includes(text))) return true;
  // A missing file is ENOENT too; only one that names the connect call is a missing server.
  if (code === 'ENOENT') return syscall === 'connect';
  return UNAVAILABLE_CODES.has(code ?? '') || CLOSED.test(message);
}

const LOST_CODES = new Set(['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST']);

/** Returns whether a statement's connection was lost. The server itself may be available. */
export function isConnectionLost(error: unknown): boolean {
  const { code, errno, message } = asDriverError(error);
  return LOST_CODES.has(code ?? '') || SESSION_ENDED.has(errno ?? 0) || CLOSED.test(message ?? '');
}

/** Returns whether a statement could not be written to its connection, because the server had closed that before. */
export const isUnsent = (error: unknown): boolean => errorCode(error) === 'EPIPE';

/** Returns whether the server ended a SELECT at its time limit, or a `Deadline` passed. The numbers are MariaDB's and MySQL's. */
export function isTooSlow(error: unknown): boolean {
  if (error instanceof DeadlineExceeded) return true;
  return [1969, 3024].includes(errorNumber(error));
}

/** Returns whether a statement exceeded our own time limit. The database may be frozen or busy. */
export function isStatementTimeout(error: unknown): boolean {
  if (isSequenceTimeout(error)) return true;
  return isKnexTimeout(error) && (asDriverError(error).message ?? '').startsWith('Defined query timeout');
}

/** Returns whether the driver ended a statement at its time limit. */
export const isSequenceTimeout = (error: unknown): boolean =>
  errorCode(error) === 'PROTOCOL_SEQUENCE_TIMEOUT';

/** Unknown column, no such table, no such index. */
const SCHEMA_NUMBERS = new Set([1054, 1146, 1176]);

/** Returns whether the database has no such table, column or index, as before a migration. */
export function isSchemaMissing(error: unknown): boolean {
  return SCHEMA_NUMBERS.has(errorNumber(error));
}

/** Returns whether a unique key already has the row's value. */
export function isDuplicateKey(error: unknown): boolean {
  return errorNumber(error) === 1062;
}

/** SQLSTATE classes: invalid data, violated constraint, error raised by a trigger. */
const CONTENT_CLASSES = new Set(['22', '23', '45']);
/** Packet too large, invalid string value, value too long, character set conversion; their class depends on the server. */
const CONTENT_NUMBERS = new Set([1153, 1366, 1406, 3988]);

/** Returns whether the database rejected the values of a statement. It would reject the same rows again. */
export function isContentRejected(error: unknown): boolean {
  const { errno, sqlState } = asDriverError(error);
  return CONTENT_NUMBERS.has(errno ?? 0) || CONTENT_CLASSES.has(sqlState?.slice(0, 2) ?? '');
}
