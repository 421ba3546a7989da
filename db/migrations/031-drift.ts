import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/**
 * `drift_states`: what the events of an integration looked like up to one of them, see `workers/drift/drift-state.ts`.
 * `webhooks.drift_severity`: of the alerts about it; null for none.
 */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS drift_states (
    webhook_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    revision INT UNSIGNED NOT NULL,
    state MEDIUMTEXT NOT NULL,
    received_at DATETIME(3) NOT NULL,
    event_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    due_at DATETIME(3) NOT NULL
  ) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`);
  if (await database.schema.hasColumn('webhooks', 'drift_severity')) return;
  await database.raw(
    "ALTER TABLE webhooks ADD COLUMN drift_severity VARCHAR(255) NULL DEFAULT 'warning', ALGORITHM=INSTANT",
  );
}
