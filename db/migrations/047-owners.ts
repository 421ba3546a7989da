import type { Knex } from 'knex';
import type { MigrationRun } from './migration-run.js';
import { addKeysOnline } from './online-keys.js';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** Whom an alert concerns, in the form of the emails of identities. */
const OWNER = 'VARCHAR(254) NULL';

/** The alerts of an owner, in the order of the list. */
const KEYS = { by_owner: '(owner_email, received_at, id)' };

export async function up(database: Knex, run: MigrationRun): Promise<void> {
  for (const table of ['series_items', 'alerts']) {
    // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
    if (await database.schema.hasColumn(table, 'owner_email')) continue;
    // INSTANT fails where the server would copy the table instead, which may have many millions of rows.
    await database.raw(`ALTER TABLE ?? ADD COLUMN owner_email ${OWNER}, ALGORITHM=INSTANT`, [table]);
  }
  await addKeysOnline(database, 'alerts', KEYS, run);
}
