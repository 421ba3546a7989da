import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/** See `db/lookups/lookup-tables.ts`. */
const TABLES = `
  id INT UNSIGNED NOT NULL AUTO_INCREMENT,
  name VARCHAR(64) ${ASCII} NOT NULL,
  revision INT UNSIGNED NULL,
  last_revision INT UNSIGNED NOT NULL DEFAULT 0,
  acceptance BIGINT UNSIGNED NOT NULL DEFAULT 0,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (id),
  UNIQUE KEY by_name (name)`;

const REVISIONS = `
  table_id INT UNSIGNED NOT NULL,
  revision INT UNSIGNED NOT NULL,
  state VARCHAR(10) ${ASCII} NOT NULL,
  matching VARCHAR(20) ${ASCII} NOT NULL,
  key_columns TEXT NOT NULL,
  columns TEXT NOT NULL,
  lengths TEXT NULL,
  row_count INT UNSIGNED NOT NULL,
  digest BINARY(32) NOT NULL,
  job_id CHAR(36) ${ASCII} NOT NULL,
  created_at DATETIME(3) NOT NULL,
  saved_by_id CHAR(36) ${ASCII} NULL,
  saved_by_name VARCHAR(255) NULL,
  PRIMARY KEY (table_id, revision),
  KEY by_state (state)`;

/** In the order of the upload, so that a revision is loaded and read without jumps; the key's hash is small wherever a key is long. */
const ROWS = `
  table_id INT UNSIGNED NOT NULL,
  revision INT UNSIGNED NOT NULL,
  position INT UNSIGNED NOT NULL,
  key_hash BINARY(16) NOT NULL,
  cells MEDIUMTEXT NOT NULL,
  PRIMARY KEY (table_id, revision, position),
  UNIQUE KEY by_key (table_id, revision, key_hash)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS lookup_tables (${TABLES}) ${TABLE}`);
  await database.raw(`CREATE TABLE IF NOT EXISTS lookup_revisions (${REVISIONS}) ${TABLE}`);
  await database.raw(`CREATE TABLE IF NOT EXISTS lookup_rows (${ROWS}) ${TABLE}`);
}
