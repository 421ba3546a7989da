import type { Database } from '../client/connect.js';
import { acquireConnection, type DriverConnection, releaseConnection } from '../client/driver.js';
import { errorNumber, isConflict } from '../client/errors.js';

/** The tables that are split by time of arrival. */
export type PartitionedTable = 'events' | 'alerts';

/** A part of a table: the rows that were received before a midnight (UTC), and are not in an earlier part. */
export interface Partition {
  name: string;
  /** Null in the last one, which has the rest. */
  before: Date | null;
}

/** How long a change of partitions may wait for other transactions. Those that come later wait for it. */
const LOCK_WAIT_S = 1;
/** To the database, to the table, or for lack of a privilege. */
const DENIED = new Set([1044, 1142, 1227]);
const NAME = /^before_(\d{4})(\d\d)(\d\d)$/;
const REST = 'rest';

/** Returns the partitions of a table in order. */
export async function listPartitions(database: Database, table: PartitionedTable): Promise<Partition[]> {
  const [rows] = await database.raw(
    `SELECT PARTITION_NAME AS name FROM information_schema.PARTITIONS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?
      AND PARTITION_NAME IS NOT NULL ORDER BY PARTITION_ORDINAL_POSITION`,
    [table],
  );
  return rows.map(({ name }: { name: string }) => ({ name, before: beforeOf(name) }));
}

function beforeOf(name: string): Date | null {
  const [, year, month, day] = NAME.exec(name) ?? [];
  return day === undefined ? null : new Date(`${year}-${month}-${day}T00:00:00Z`);
}

/**
 * Splits the last partition at these midnights, in order. Rows that are in it move to the new ones.
 * @throws the driver's error if the account may not, or if other transactions use the table for longer than a second
 */
export async function addPartitions(
  database: Database,
  table: PartitionedTable,
  midnights: readonly Date[],
): Promise<void> {
  const parts = midnights.map((midnight) => {
    const date = midnight.toISOString().slice(0, 10);
    return `PARTITION before_${date.replaceAll('-', '')} VALUES LESS THAN ('${date}')`;
  });
  const all = [...parts, `PARTITION ${REST} VALUES LESS THAN (MAXVALUE)`].join(', ');
  await alter(database, `ALTER TABLE ${table} REORGANIZE PARTITION ${REST} INTO (${all})`);
}

/**
 * Drops a partition with all of its rows. Rows of its time that are inserted later go to the next one.
 * @throws the driver's error if the account may not, or if other transactions use the table for longer than a second
 */
export const dropPartition = (
  database: Database,
  table: PartitionedTable,
  { name }: Partition,
): Promise<void> => alter(database, `ALTER TABLE ${table} DROP PARTITION ${name}`);

/** Returns whether rows wait in the last partition, which are those of days that have no partition of their own yet. */
export async function hasRest(database: Database, table: PartitionedTable): Promise<boolean> {
  const [rows] = await database.raw(`SELECT 1 FROM ${table} PARTITION (${REST}) LIMIT 1`);
  return rows.length > 0;
}

/** Returns why a change of partitions was not made: `denied` to the account, or other transactions used the table. Null for any other error. */
export function whyUnchanged(error: unknown): 'denied' | 'busy' | null {
  if (isConflict(error)) return 'busy';
  return DENIED.has(errorNumber(error)) ? 'denied' : null;
}

/** Runs a statement that needs the table for itself. */
async function alter(database: Database, sql: string): Promise<void> {
  const connection = await acquireConnection(database);
  try {
    await query(connection, `SET SESSION lock_wait_timeout = ${LOCK_WAIT_S}`);
    await query(connection, sql);
  } finally {
    await query(connection, 'SET SESSION lock_wait_timeout = DEFAULT').catch(() => connection.destroy());
    await releaseConnection(database, connection);
  }
}

const query = (connection: DriverConnection, sql: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    connection.query(sql, (error, result) => (error ? reject(error) : resolve(result)));
  });
