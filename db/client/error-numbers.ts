/*
 * Error numbers of the engines, by what the caller has to do. "Seen" means that a test gets the number from that engine.
 * The others are from the documentation or the source of an engine that has not been run here.
 */

/** The transaction was rolled back because of another one. All of it can be repeated at once, also after COMMIT. */
export const CONFLICTS = new Set([
  1213, // Deadlock. Seen: InnoDB; Galera, where another node's transaction came first. Also TiDB
  1205, // Lock wait timeout. Seen: InnoDB. Also TiDB
  1020, // A row changed after the snapshot. MariaDB
  1412, // The table was altered during the transaction. InnoDB, while a migration runs
  3101, // Certification failed. Group Replication, by its documentation; see also IN_COMMIT
  8002, // Conflict of a SELECT ... FOR UPDATE. TiDB
  8005, // Write conflict. TiDB
  8022, // COMMIT failed and was rolled back. TiDB
  8028, // The schema was changed during the transaction. TiDB
  9007, // Write conflict. TiDB
]);

/**
 * The error of a storage engine during COMMIT, by number in the message: Group Replication reports a conflict with
 * another member in this way. Galera reports a lost quorum with another number.
 */
export const IN_COMMIT = 1180;
export const CONFLICT_IN_COMMIT = 'Got error 149 ';

/** The server cannot do it now, or ended the session. Whether a COMMIT took effect may be unknown. */
export const UNAVAILABLE = new Set([
  1040, // Too many connections
  1041, // Out of resources; Vitess, when it throttles transactions
  1047, // Seen: Galera, on a node that has not joined or has no quorum. Vitess: unknown session
  1053, // The server shuts down
  1079, // It has shut down
  1158, // Reading from the connection failed
  1159, // It timed out
  1160, // Writing to it failed
  1161, // It timed out
  IN_COMMIT, // Galera without quorum
  1184, // Connection aborted
  1203, // The account has too many connections; Vitess, when a pool is full
  1290, // Read-only
  1317, // Seen: MySQL, when the connection is killed. Vitess: a transaction that it ended
  1836, // Read-only
  1927, // Seen: MariaDB, when the connection is killed
  2006, // Vitess and ProxySQL, when they lost the server behind them
  2013, // The same
  3032, // Offline mode. Group Replication, for a member that left
  3100, // A hook of a plugin failed. Group Replication, without a majority
  3159, // Connections without TLS are not accepted
  3168, // Vitess: no server is available
  3169, // MySQL, when the session was killed
  4031, // Seen: MySQL, when the session was idle for too long
  8027, // The schema is outdated. TiDB
  9001, // The placement driver does not respond. TiDB. ProxySQL: no server could be reached in time
  9002, // The store does not respond. TiDB
  9003, // The store is busy. TiDB
  9004, // Too many conflicts. TiDB
  9005, // The region is not available. TiDB
]);

/** The session was ended. The server itself may be available. */
export const SESSION_ENDED = new Set([1927, 3169, 4031]);

/** Vitess has no number of its own for a shard without a primary, for example during a failover. */
export const UNKNOWN = 1105;
export const SHARD_UNAVAILABLE = ['no healthy tablet available', 'is not serving', 'code = Unavailable'];
