import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/** See `db/access/upload-links.ts`. Links are never deleted, because the history of accounts names them. */
const UPLOAD_LINKS = `
  id CHAR(36) ${ASCII} NOT NULL PRIMARY KEY,
  integration_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(255) NOT NULL,
  token_hash BINARY(32) NOT NULL,
  uploads_allowed INT UNSIGNED NOT NULL,
  uploads_used INT UNSIGNED NOT NULL,
  checks_used INT UNSIGNED NOT NULL,
  api_key_id CHAR(36) ${ASCII} NOT NULL,
  created_at DATETIME(3) NOT NULL,
  expires_at DATETIME(3) NOT NULL,
  last_used_at DATETIME(3) NULL,
  revoked_at DATETIME(3) NULL,
  UNIQUE KEY by_token (token_hash),
  KEY by_created_at (created_at, id),
  KEY by_system (integration_id, created_at, id)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(
    `CREATE TABLE IF NOT EXISTS upload_links (${UPLOAD_LINKS}) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC`,
  );
}
