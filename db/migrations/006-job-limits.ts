import type { Knex } from 'knex';

/**
 * What counts against an API key's limits, see `db/jobs/job-load.ts`: its open jobs, and the bytes of the files stored for
 * them. Indexed, because every submission queries it.
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
    if (await exists(database, 'columns', 'column_name', name)) continue;
    await database.raw(`ALTER TABLE jobs ADD COLUMN ${name} ${type}`);
  }
  for (const [name, columns] of Object.entries(INDEXES)) {
    if (await exists(database, 'statistics', 'index_name', name)) continue;
    await database.raw(`ALTER TABLE jobs ADD KEY ${name} (${columns})`);
  }
}

/** MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again. */
async function exists(
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
