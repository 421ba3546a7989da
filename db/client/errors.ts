/** What a failed statement means for the caller: the server's own error numbers, in three families. */

/** Deadlock, lock wait time-out, snapshot too old: the transaction was rolled back and may simply run again. */
const CONFLICTS = new Set([1213, 1205, 1020]);
/** Too many connections, shutting down, no such host, killed, read-only, no quorum. */
const AWAY_NUMBERS = new Set([1040, 1047, 1053, 1180, 1184, 1203, 1290, 1836, 1927, 3159]);
const AWAY_CODES = new Set([
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

/** Thrown when every connection of the pool stayed in use. The database may be fine: it was asked for too much at once. */
export class PoolExhausted extends Error {
  override name = 'PoolExhausted';
}

/** Thrown when the database does not respond to a probe. */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent';
}

/** What the driver says without a code; knex puts the statement in front, be it only its own ROLLBACK. */
const CLOSED =
  /(?:^|- )(?:Connection lost: The server closed the connection\.|Can't add new command when connection is in closed state)$/;

interface DriverError extends Error {
  code?: string;
  errno?: number;
  syscall?: string;
  fatal?: boolean;
  sqlState?: string;
  sqlMessage?: string;
}

/** True when the whole transaction should be run again at once: it lost against another one. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has((error as DriverError)?.errno ?? 0);
}

/** Thrown if the connection failed during COMMIT and the database could not be asked for the result. `cause` is why. */
export class CommitUnknown extends Error {
  override name = 'CommitUnknown';

  constructor(cause: unknown) {
    super('it is unknown whether the transaction was committed', { cause });
  }
}

/** The disk is full; the table cannot grow. */
const FULL_NUMBERS = new Set([1021, 1114]);
/** A file could not be written: the operating system's number is in the message. */
const WRITE_FAILED_NUMBERS = new Set([3, 1026, 1030]);
const NO_SPACE = /\b28\b/;

/** True when the database has no space left on its disk. Nothing was changed, and the same statement may succeed later. */
export function isDatabaseFull(error: unknown): boolean {
  const { errno = 0, sqlMessage = '' } = (error ?? {}) as DriverError;
  return FULL_NUMBERS.has(errno) || (WRITE_FAILED_NUMBERS.has(errno) && NO_SPACE.test(sqlMessage));
}

/**
 * True when the database could not be reached or was going away: nothing is known to be wrong with the statement. Also
 * true of an exhausted pool: a worker waits for both alike. Whoever must tell them apart checks for `PoolExhausted` first.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof CommitUnknown) return true;
  const { name, code, errno, syscall } = (error ?? {}) as DriverError;
  if (name === 'KnexTimeoutError') return true;
  if (error instanceof PoolExhausted || error instanceof DatabaseSilent) return true;
  if (AWAY_NUMBERS.has(errno ?? 0) || isDatabaseFull(error)) return true;
  // A missing file is ENOENT too; only one that names the connect call is a missing server.
  if (code === 'ENOENT') return syscall === 'connect';
  return AWAY_CODES.has(code ?? '') || CLOSED.test((error as Error)?.message ?? '');
}

const LOST_CODES = new Set(['ECONNRESET', 'EPIPE', 'PROTOCOL_CONNECTION_LOST']);
const KILLED = 1927;

/** True when the connection of a statement is gone; the server itself may well be there. */
export function isConnectionLost(error: unknown): boolean {
  const { code, errno, message } = (error ?? {}) as DriverError;
  return LOST_CODES.has(code ?? '') || errno === KILLED || CLOSED.test(message ?? '');
}

/** True when a SELECT was ended because it took longer than it may: MariaDB's number, then MySQL's. */
export function isTooSlow(error: unknown): boolean {
  return [1969, 3024].includes((error as DriverError)?.errno ?? 0);
}

/** True when a statement did not end within the time that we gave it. The database may be frozen, or only busy. */
export function isStatementTimeout(error: unknown): boolean {
  const { name, code, message } = (error ?? {}) as DriverError;
  if (code === 'PROTOCOL_SEQUENCE_TIMEOUT') return true;
  return name === 'KnexTimeoutError' && message.startsWith('Defined query timeout');
}

/** True when a unique key refused the row. */
export function isDuplicateKey(error: unknown): boolean {
  return (error as DriverError)?.errno === 1062;
}

/** SQLSTATE classes for values that do not fit, break a constraint, or were refused by the database's own rules. */
const CONTENT_CLASSES = new Set(['22', '23', '45']);
/** A packet that is too large, and a value that is too long or in no character set, whatever class the server gives them. */
const CONTENT_NUMBERS = new Set([1153, 1366, 1406, 3988]);

/** True when the database refused what a statement holds: the same rows will be refused again. */
export function isContentRejected(error: unknown): boolean {
  const { errno, sqlState } = (error ?? {}) as DriverError;
  return CONTENT_NUMBERS.has(errno ?? 0) || CONTENT_CLASSES.has(sqlState?.slice(0, 2) ?? '');
}
