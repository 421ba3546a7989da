import type { Knex } from 'knex';

/**
 * What counts against a key's limits, see `db/jobs/job-load.ts`: open jobs, and the bytes of files that are kept for its jobs.
 * Indexed, so that each submission can ask.
 */
const COLUMNS = {
  source_bytes: 'BIGINT UNSIGNED NULL',
  result_bytes: 'BIGINT UNSIGNED NULL',
  stored_bytes:
    'BIGINT UNSIGNED GENERATED ALWAYS AS (COALESCE(source_bytes, 0) + COALESCE(result_bytes, 0)) VIRTUAL',
};
const INDEXES = { by_open: 'api_key_id, state', by_stored_bytes: 'api_key_id, stored_bytes' };

export async function up(database: Knex): Promise<void> {
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (await isThere(database, 'columns', 'column_name', name)) continue;
    await database.raw(`ALTER TABLE jobs ADD COLUMN ${name} ${type}`);
  }
  for (const [name, columns] of Object.entries(INDEXES)) {
    if (await isThere(database, 'statistics', 'index_name', name)) continue;
    await database.raw(`ALTER TABLE jobs ADD KEY ${name} (${columns})`);
  }
}

export async function down(database: Knex): Promise<void> {
  for (const name of Object.keys(INDEXES)) await database.raw(`ALTER TABLE jobs DROP KEY ${name}`);
  for (const name of Object.keys(COLUMNS).reverse())
    await database.raw(`ALTER TABLE jobs DROP COLUMN ${name}`);
}

/** MySQL has no `ADD COLUMN IF NOT EXISTS`, and a migration that was broken off is run again. */
async function isThere(
  database: Knex,
  table: 'columns' | 'statistics',
  column: string,
  name: string,
): Promise<boolean> {
  const [rows] = await database.raw(
    `SELECT 1 FROM information_schema.${table} WHERE table_schema = DATABASE() AND table_name = 'jobs' AND ${column} = ?`,
    [name],
  );
  return rows.length > 0;
}
