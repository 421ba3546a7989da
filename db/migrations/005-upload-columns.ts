import type { Knex } from 'knex';

/** The column of a CSV upload that each field was read from, as JSON. */
const NAME = 'upload_columns';

export async function up(database: Knex): Promise<void> {
  // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
  if (await database.schema.hasColumn('jobs', NAME)) return;
  await database.raw(`ALTER TABLE jobs ADD COLUMN ${NAME} TEXT NULL`);
}
