import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/** See `db/lookups/misses.ts`. */
const MISSES = `
  table_name VARCHAR(64) ${ASCII} NOT NULL,
  key_hash BINARY(16) NOT NULL,
  missed_key TEXT NOT NULL,
  first_at DATETIME(3) NOT NULL,
  last_at DATETIME(3) NOT NULL,
  misses BIGINT UNSIGNED NOT NULL,
  event_id BINARY(16) NOT NULL,
  PRIMARY KEY (table_name, key_hash),
  KEY by_last_at (table_name, last_at, key_hash),
  KEY by_age (last_at)`;

/** What was looked up for an event is kept with it, as JSON. */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS lookup_misses (${MISSES}) ${TABLE}`);
  if (await database.schema.hasColumn('events', 'lookups')) return;
  await database.raw('ALTER TABLE events ADD COLUMN lookups LONGTEXT NULL, ALGORITHM=INSTANT');
}
