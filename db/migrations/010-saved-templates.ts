import type { Knex } from 'knex';

const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/** Templates that people saved from their own mappings. `bytes` is the size of the mapping and the sample. */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS saved_templates (
    name VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    title VARCHAR(100) NOT NULL,
    description VARCHAR(1000) NOT NULL,
    mapping MEDIUMTEXT NOT NULL,
    sample MEDIUMTEXT NOT NULL,
    bytes INT UNSIGNED NOT NULL,
    revision INT UNSIGNED NOT NULL,
    saved_by_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    saved_by_name VARCHAR(100) NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL) ${TABLE}`);
}
