import type { Knex } from 'knex';

/** Where the file is kept from which a destination, a saved template or a lookup table comes. */
export async function up(database: Knex): Promise<void> {
  for (const table of ['destinations', 'saved_templates', 'lookup_tables']) {
    // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
    if (await database.schema.hasColumn(table, 'managed_by')) continue;
    await database.raw(`ALTER TABLE ${table} ADD COLUMN managed_by VARCHAR(200) NULL, ALGORITHM=INSTANT`);
  }
}
