import type { Database } from '../../../db/client/connect.js';
import type { BenchContext } from '../benchmark.js';
import { GROUP_EVENTS, writeGroups } from './write-groups.js';

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
