import { format } from 'mysql2';
import type { Database } from '../../db/client/connect.js';
import { runReady } from '../../db/client/statement.js';
import { spending } from './backlog.js';
import type { BenchContext } from './benchmark.js';

/** Rows per statement and connections: the fastest of those tried (200 rows over 4, 500 and 1,000 rows over 2). */
const FLOOR_ROWS = 1_000;
const FLOOR_CONNECTIONS = 2;

/**
 * Writes the existing rows of tables again with multi-row statements and returns the seconds. Reading them does not count.
 * @param tables by name, with the columns that rows are inserted in the order of
 */
export async function insertAgain(
  database: Database,
  { pids, rows, say }: BenchContext,
  tables: Readonly<Record<string, readonly string[]>>,
): Promise<number> {
  const names = Object.keys(tables);
  const chunks = await Promise.all(names.map((name) => readChunks(database, name, tables[name] ?? [])));
  await empty(database, names);
  const spent = spending({ program: process.pid, MariaDB: pids.mariadb }, rows);
  const startedAt = performance.now();
  let next = 0;
  const count = Math.max(...chunks.map(({ length }) => length));
  const lane = async () => {
    for (let number = next++; number < count; number = next++) {
      await database.transaction(async (transaction) => {
        for (const [i, name] of names.entries()) {
          const chunk = chunks[i]?.[number];
          if (chunk) await runReady(transaction, format(`INSERT INTO ${name} VALUES ?`, [chunk as never]));
        }
      });
    }
  };
  await Promise.all(Array.from({ length: FLOOR_CONNECTIONS }, lane));
  const seconds = (performance.now() - startedAt) / 1_000;
  say(`floor ${Math.round(rows / seconds)} events/s; CPU: ${spent()} an event`);
  return seconds;
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
  for (let at = 0; at < rows.length; at += FLOOR_ROWS) chunks.push(rows.slice(at, at + FLOOR_ROWS));
  return chunks;
}
