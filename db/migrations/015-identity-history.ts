import type { Knex } from 'knex';

const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/**
 * Each change of an account's owner. Clustered by account, so the history of one is read in one place, and a chunk of an import,
 * which is sorted by account, adds its rows in order. Microseconds, because a change that waited for the lock of another one
 * follows it closely.
 */
const HISTORY = `
  integration_id BIGINT UNSIGNED NOT NULL,
  identity VARCHAR(255) NOT NULL,
  changed_at DATETIME(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6),
  job_id BINARY(16) NOT NULL,
  api_key_id BINARY(16) NOT NULL,
  email_before VARCHAR(254) NULL,
  email_after VARCHAR(254) NULL,
  PRIMARY KEY (integration_id, identity, changed_at, job_id),
  KEY by_changed_at (changed_at)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS identity_history (${HISTORY}) ${TABLE}`);
}
