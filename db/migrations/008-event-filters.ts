import type { Knex } from 'knex';

/** What the filter of the mapping dropped of an event, and why, as JSON. Null for most events. */
const NAME = 'filter_outcome';

export async function up(database: Knex): Promise<void> {
  // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
  if (await database.schema.hasColumn('events', NAME)) return;
  // INSTANT fails where the server would copy the table instead, which may have many millions of rows.
  await database.raw(`ALTER TABLE events ADD COLUMN ${NAME} TEXT NULL, ALGORITHM=INSTANT`);
}
