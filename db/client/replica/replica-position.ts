import type { Database } from '../connect.js';

/** How long a replica may take to reach a position, in seconds. Then the primary is read instead. */
const REACH_WITHIN_S = 0.3;

/**
 * Returns the global transaction ids (GTIDs) that the primary has committed, as text; null if it records none. MariaDB executes
 * the first comment, MySQL the second.
 */
export async function readPosition(primary: Database): Promise<string | null> {
  const [[row]] = await primary.raw(
    'SELECT /*M! @@global.gtid_binlog_pos */ /*!80000 @@global.gtid_executed */ AS position',
  );
  return row.position || null;
}

/** Returns whether the replica has applied all of these transactions, or does so within 0.3 s. */
async function reaches(replica: Database, position: string): Promise<boolean> {
  // Only MySQL's have a colon: `uuid:1-5`. MariaDB's are like `0-1-5`.
  const wait = position.includes(':') ? 'WAIT_FOR_EXECUTED_GTID_SET' : 'MASTER_GTID_WAIT';
  const [[row]] = await replica.raw(`SELECT ${wait}(?, ?) AS missed`, [position, REACH_WITHIN_S]);
  return row.missed === 0;
}

/**
 * Returns whether the replica has everything that the primary has committed by now.
 * @throws Error if the replica does not respond, or the databases record no GTIDs
 */
export async function isCurrent(primary: Database, replica: Database): Promise<boolean> {
  const position = await readPosition(primary);
  if (position === null) throw new Error('the primary records no GTIDs');
  return reaches(replica, position);
}
