import type { Knex } from 'knex';

/** The handshake that an integration responds to. NULL: none. */
export async function up(database: Knex): Promise<void> {
  // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
  if (await database.schema.hasColumn('webhooks', 'challenge')) return;
  const type = 'VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL';
  await database.raw(`ALTER TABLE webhooks ADD COLUMN challenge ${type}, ALGORITHM=INSTANT`);
}
