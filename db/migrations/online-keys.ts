import type { Knex } from 'knex';
import { describeTime, estimatedRows, keyNames, MENTIONED_ROWS, settle } from './large-table.js';
import type { MigrationRun } from './migration-run.js';

/** For each row and index. Measured on two cores with other work: 1.5 to 9 µs. */
const INDEX_US = 5;

/**
 * Adds indexes to a table while it is read and written. Each has a statement of its own: killed at any point, it continues with the index that
 * it was at. The server may still execute the statement of the killed process, so it first waits for that (`settle`).
 */
export async function addKeysOnline(
  database: Knex,
  table: string,
  keys: Readonly<Record<string, string>>,
  { say, check }: MigrationRun,
): Promise<void> {
  await settle(database, table);
  const names = await keyNames(database, table);
  const missing = Object.entries(keys).filter(([name]) => !names.has(name));
  const rows = await estimatedRows(database, table);
  if (missing.length > 0 && rows >= MENTIONED_ROWS) {
    say(
      `${table}: about ${rows.toLocaleString('en')} rows. The new indexes (${missing.map(([name]) => name).join(', ')}) take about ` +
        `${describeTime(missing.length * rows * INDEX_US)}, while Muster continues.`,
    );
  }
  for (const [name, columns] of missing) {
    await check();
    await database.raw(`ALTER TABLE ?? ADD KEY ?? ${columns}, ALGORITHM=INPLACE, LOCK=NONE`, [table, name]);
  }
}
