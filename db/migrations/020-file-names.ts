import type { Knex } from 'knex';
import { describeTime, estimatedRows, MENTIONED_ROWS, settle } from './large-table.js';
import type { MigrationRun } from './migration-run.js';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** The name of an uploaded file, as its client sent it. NULL for jobs without one and for jobs of earlier releases. */
const ADD = 'ALTER TABLE jobs ADD COLUMN file_name VARCHAR(255) NULL';

/** For each row. Measured on two cores with other work: 23 µs. */
const REBUILD_US = 25;
/** The errors of a statement that the server would have to rebuild the table for. */
const NOT_INSTANT = [1845, 1846];

/** MySQL adds the column at once. MariaDB rebuilds the table, because it has an indexed virtual column. */
export async function up(database: Knex, run: MigrationRun): Promise<void> {
  await settle(database, 'jobs');
  if (await database.schema.hasColumn('jobs', 'file_name')) return;
  try {
    await database.raw(`${ADD}, ALGORITHM=INSTANT`);
  } catch (error) {
    if (!NOT_INSTANT.includes((error as { errno?: number }).errno ?? 0)) throw error;
    await rebuild(database, run);
  }
}

async function rebuild(database: Knex, { say, check }: MigrationRun): Promise<void> {
  const rows = await estimatedRows(database, 'jobs');
  if (rows >= MENTIONED_ROWS) {
    say(
      `jobs: about ${rows.toLocaleString('en')} rows. The new column takes about ${describeTime(rows * REBUILD_US)}. Jobs can be ` +
        'read meanwhile. Requests that create jobs, and workers, wait.',
    );
  }
  await check();
  await database.raw(`${ADD}, ALGORITHM=INPLACE, LOCK=SHARED`);
}
