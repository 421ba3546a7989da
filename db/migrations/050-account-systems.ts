import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/** See `db/identities/account-systems.ts`. */
const SYSTEMS = `
  integration_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(100) NOT NULL,
  kind VARCHAR(20) ${ASCII} NOT NULL,
  account_url VARCHAR(500) ${ASCII} NULL,
  managed_by VARCHAR(200) NULL,
  revision INT UNSIGNED NOT NULL,
  saved_by_id CHAR(36) ${ASCII} NULL,
  saved_by_name VARCHAR(255) NULL,
  updated_at DATETIME(3) NOT NULL,
  PRIMARY KEY (integration_id),
  UNIQUE KEY by_name (name)`;

/** See `db/identities/account-system-days.ts`. */
const DAYS = `
  integration_id BIGINT UNSIGNED NOT NULL,
  day DATETIME(3) NOT NULL,
  accounts BIGINT UNSIGNED NULL,
  owners BIGINT UNSIGNED NULL,
  listed INT UNSIGNED NULL,
  without_owner INT UNSIGNED NULL,
  PRIMARY KEY (integration_id, day),
  KEY by_day (day)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS account_systems (${SYSTEMS}) ${TABLE}`);
  await database.raw(`CREATE TABLE IF NOT EXISTS account_system_days (${DAYS}) ${TABLE}`);
}
