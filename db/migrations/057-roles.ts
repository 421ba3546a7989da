import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/** See `db/access/roles.ts`. The built-in roles have no row. */
const ROLES = `
  name VARCHAR(40) ${ASCII} NOT NULL PRIMARY KEY,
  scopes VARCHAR(1000) ${ASCII} NOT NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL`;

/** See `db/access/role-grants.ts`. Without a limit of rows, a grant is for all. */
const ROLE_GRANTS = `
  id CHAR(36) ${ASCII} NOT NULL PRIMARY KEY,
  subject_kind VARCHAR(10) ${ASCII} NOT NULL,
  subject_id CHAR(36) ${ASCII} NOT NULL,
  role VARCHAR(40) ${ASCII} NOT NULL,
  row_limit MEDIUMTEXT NULL,
  created_at DATETIME(3) NOT NULL,
  created_by_id CHAR(36) ${ASCII} NOT NULL,
  created_by_name VARCHAR(255) NOT NULL,
  KEY by_subject (subject_kind, subject_id),
  KEY by_role (role),
  KEY by_created_at (created_at, id)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS roles (${ROLES}) ${TABLE}`);
  await database.raw(`CREATE TABLE IF NOT EXISTS role_grants (${ROLE_GRANTS}) ${TABLE}`);
}
