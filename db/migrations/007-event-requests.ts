import type { Knex } from 'knex';

/** JSON of the HTTP request that carried the event, without its body. NULL for events of older releases. */
const NAME = 'request';

export async function up(database: Knex): Promise<void> {
  // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
  if (await database.schema.hasColumn('events', NAME)) return;
  // The table may have many millions of rows: this changes only its definition.
  await database.raw(`ALTER TABLE events ADD COLUMN ${NAME} TEXT NULL, ALGORITHM=INSTANT`);
}
