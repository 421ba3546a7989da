import type { Knex } from 'knex';
import type { MigrationRun } from './migration-run.js';
import { addKeysOnline } from './online-keys.js';

/**
 * The last position in the feed of changes, and the one after which every part is stored. A single row, which a chunk locks until it is
 * committed.
 */
const FEED = `
  id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
  last BIGINT UNSIGNED NOT NULL,
  complete_after BIGINT UNSIGNED NOT NULL`;

/** The place of a part in the feed, and when it was stored. Dry runs and what was stored before have none. */
const COLUMNS = { position: 'BIGINT UNSIGNED NULL', changed_at: 'DATETIME(6) NULL' };

/** Indexes are added by statements of their own, so this migration has no transaction. */
export const config = { transaction: false } as const;

export async function up(database: Knex, run: MigrationRun): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS identity_feed (${FEED}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`);
  await database.raw('INSERT IGNORE INTO identity_feed (id, last, complete_after) VALUES (1, 0, 0)');
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (await database.schema.hasColumn('import_changes', name)) continue;
    await database.raw(`ALTER TABLE import_changes ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
  }
  // From here on. A worker of the previous release names no position, and its parts are recognized by this one.
  await database.raw('ALTER TABLE import_changes ALTER COLUMN position SET DEFAULT 0');
  await addKeysOnline(database, 'import_changes', { by_position: '(position)' }, run);
}
