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

/**
 * Writes the existing rows of tables again with multi-row statements and returns the seconds. Reading them does not count.
 * @param tables by name, with the columns that rows are inserted in the order of
 */
export async function insertAgain(
  database: Database,
  context: BenchContext,
  tables: Readonly<Record<string, readonly string[]>>,
): Promise<number> {
  const names = Object.keys(tables);
  const chunks = await Promise.all(names.map((name) => readChunks(database, name, tables[name] ?? [])));
  await empty(database, names);
  const count = Math.max(...chunks.map(({ length }) => length));
  const groups = Array.from({ length: count }, (_, number) => ({
    inserts: names.map((table, i) => ({ table, rows: chunks[i]?.[number] ?? [] })),
  }));
  return writeGroups(database, context, groups);
}

/** Deletes all rows of tables. */
export async function empty(database: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) await database.raw(`TRUNCATE TABLE ${table}`);
}

async function readChunks(
  database: Database,
  table: string,
  order: readonly string[],
): Promise<unknown[][][]> {
  const rows = (await database(table).orderBy([...order])).map((row) => Object.values(row));
  const chunks: unknown[][][] = [];
  for (let at = 0; at < rows.length; at += GROUP_EVENTS) chunks.push(rows.slice(at, at + GROUP_EVENTS));
  return chunks;
}
