import type { Database } from '../../../db/client/connect.js';
import { counted } from '../../../workers/text/quantities.js';
import { type Finding, failure, ok, warning } from '../finding.js';

/** An import resumes about this many seconds after a host froze in the middle of a transaction. */
const LOCK_WAIT_S = 10;
/** A process opens at most about this many connections. */
const ONE_PROCESS = 20;

/** Returns global variables by name. A server without a variable leaves it out. */
async function readVariables(database: Database, ...names: string[]): Promise<Record<string, string>> {
  const marks = names.map(() => '?').join(', ');
  const [rows] = await database.raw(`SHOW GLOBAL VARIABLES WHERE Variable_name IN (${marks})`, names);
  return Object.fromEntries(
    (rows as { Variable_name: string; Value: string }[]).map((row) => [row.Variable_name, row.Value]),
  );
}

/** Reports how long a transaction waits for a lock. */
export async function findLockTimeout(check: string, database: Database): Promise<Finding> {
  const { innodb_lock_wait_timeout: seconds } = await readVariables(database, 'innodb_lock_wait_timeout');
  const found = `innodb_lock_wait_timeout is ${seconds} s`;
  if (Number(seconds) <= LOCK_WAIT_S) return ok(check, found);
  return warning(
    check,
    found,
    'Set it to 5: after a host froze, imports wait that long for its locks. Conflicts are retried.',
  );
}

/** Reports whether a committed transaction survives a crash of the database's host. */
export async function findDurability(check: string, database: Database): Promise<Finding> {
  const {
    innodb_flush_log_at_trx_commit: flush,
    log_bin,
    sync_binlog,
  } = await readVariables(database, 'innodb_flush_log_at_trx_commit', 'log_bin', 'sync_binlog');
  // MariaDB's 3 also flushes at every commit.
  const problems = [
    ...(['1', '3'].includes(flush ?? '') ? [] : [`innodb_flush_log_at_trx_commit is ${flush}`]),
    ...(log_bin === 'ON' && sync_binlog !== '1' ? [`sync_binlog is ${sync_binlog}`] : []),
  ];
  if (problems.length === 0) return ok(check, 'each commit is on disk before it is acknowledged');
  return warning(
    check,
    problems.join(', '),
    'Set it to 1: if the host of the database crashes, acknowledged work of the last second is lost, or missing on replicas.',
  );
}

/** Reports how many connections the database still accepts. */
export async function findConnections(check: string, database: Database): Promise<Finding> {
  const { max_connections: most } = await readVariables(database, 'max_connections');
  const [[row]] = await database.raw("SHOW GLOBAL STATUS LIKE 'Threads_connected'");
  const free = Number(most) - Number(row.Value);
  const found = `${counted(free, 'connection')} of ${most} free`;
  const advice = `Raise max_connections, or run fewer processes: an API, or a worker with the default IMPORT_LANES, opens up to ${ONE_PROCESS}.`;
  if (free >= ONE_PROCESS) return ok(check, found);
  return free > 2 ? warning(check, found, advice) : failure(check, found, advice);
}
