import type { Knex } from 'knex';

const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/**
 * One row: a known text, encrypted with `SECRET_KEY`. Whoever cannot decrypt it has another key than the one that the
 * secrets in this database are encrypted with. NULL: the next API that starts may encrypt it with its own key.
 */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS secret_canary (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    sealed VARBINARY(255) NULL) ${TABLE}`);
}

export async function down(database: Knex): Promise<void> {
  await database.raw('DROP TABLE IF EXISTS secret_canary');
}
