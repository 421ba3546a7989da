import type { Knex } from 'knex';

/**
 * The settings of a signature besides its scheme and secret: parameters as JSON, whether it is enforced, the secret before the last
 * rotation, and when the settings last changed.
 */
const COLUMNS = {
  signature_parameters: 'TEXT NULL',
  signature_mode: "VARCHAR(16) NOT NULL DEFAULT 'enforce'",
  signature_changed_at: 'DATETIME(3) NULL',
  previous_secret: 'VARBINARY(1024) NULL',
  previous_secret_expires_at: 'DATETIME(3) NULL',
};

export async function up(database: Knex): Promise<void> {
  for (const [name, type] of Object.entries(COLUMNS)) {
    // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
    if (await database.schema.hasColumn('webhooks', name)) continue;
    await database.raw(`ALTER TABLE webhooks ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
  }
}
