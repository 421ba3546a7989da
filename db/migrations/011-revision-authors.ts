import type { Knex } from 'knex';

/** Who saved a revision: the id and name of the API key. NULL for what was saved before this migration. */
const AUTHOR = {
  saved_by_id: 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL',
  saved_by_name: 'VARCHAR(100) NULL',
};

/** `webhooks.revision` counts the changes of an integration's settings, so that `If-Match` detects a lost update. */
const COLUMNS: Record<string, Record<string, string>> = {
  mapping_revisions: AUTHOR,
  webhooks: { revision: 'INT UNSIGNED NOT NULL DEFAULT 1', ...AUTHOR },
};

export async function up(database: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [name, type] of Object.entries(columns)) {
      // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
      if (await database.schema.hasColumn(table, name)) continue;
      await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
    }
  }
}
