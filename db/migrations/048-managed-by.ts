import type { Knex } from 'knex';

/** Where the file is kept from which an integration comes. */
export async function up(database: Knex): Promise<void> {
  // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
  if (await database.schema.hasColumn('webhooks', 'managed_by')) return;
  await database.raw('ALTER TABLE webhooks ADD COLUMN managed_by VARCHAR(200) NULL, ALGORITHM=INSTANT');
}
