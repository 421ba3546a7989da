import type { Knex } from 'knex';

/**
 * The API key that created a saved template. NULL for one from before this migration, or from an earlier API: it belongs to the
 * key that saved it last.
 */
export async function up(database: Knex): Promise<void> {
  // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
  if (await database.schema.hasColumn('saved_templates', 'owner_id')) return;
  await database.raw(
    'ALTER TABLE saved_templates ADD COLUMN owner_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL, ALGORITHM=INSTANT',
  );
}
