import type { Knex } from 'knex';
import { format } from 'mysql2';
import type { Database } from '../../../db/client/connect.js';
import { runReady } from '../../../db/client/statement.js';
import { spending } from '../backlog.js';
import type { BenchContext } from '../benchmark.js';

/** Rows per statement and connections: the fastest of those tried (200 rows over 4, 500 and 1,000 rows over 2). */
export const GROUP_EVENTS = 1_000;
const CONNECTIONS = 2;

/** One multi-row statement. */
export interface BulkWrite {
  table: string;
  rows: readonly (readonly unknown[])[];
  /** Columns that a row overwrites if it is already stored. */
  overwrites?: readonly string[];
}

/** What one transaction writes. */
export interface WriteGroup {
  inserts: readonly BulkWrite[];
  /** What is written in the order of the groups, until COMMIT: rows that another group may write too. */
  inSequence?: readonly BulkWrite[];
}

/** Writes groups over several connections, one transaction each, and returns the seconds. */
export async function writeGroups(
  database: Database,
  { pids, rows, say }: BenchContext,
  groups: readonly WriteGroup[],
): Promise<number> {
  const spent = spending({ program: process.pid, MariaDB: pids.mariadb }, rows);
  const startedAt = performance.now();
  const committed: Promise<void>[] = [];
  let next = 0;
  const lane = async () => {
    for (let number = next++; number < groups.length; number = next++) {
      const earlier = committed[number - 1];
      committed[number] = writeGroup(database, groups[number] as WriteGroup, earlier);
      await committed[number];
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, lane));
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`floor ${Math.round(rows / seconds)} events/s; CPU: ${spent()} an event`);
  return seconds;
}

const writeGroup = (
  database: Database,
  { inserts, inSequence = [] }: WriteGroup,
  earlier: Promise<void> | undefined,
): Promise<void> =>
  database.transaction(async (transaction) => {
    for (const write of inserts) await run(transaction, write);
    if (inSequence.length > 0) await earlier;
    for (const write of inSequence) await run(transaction, write);
  });

async function run(transaction: Knex.Transaction, { table, rows, overwrites }: BulkWrite): Promise<void> {
  if (rows.length === 0) return;
  const update = overwrites?.map((name) => `${name} = VALUES(${name})`).join(', ');
  const sql = format(`INSERT INTO ${table} VALUES ?`, [rows as never]);
  await runReady(transaction, update ? `${sql} ON DUPLICATE KEY UPDATE ${update}` : sql);
}
