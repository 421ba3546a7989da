import type { Knex } from 'knex';

const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/**
 * One row with a known text, encrypted with `SECRET_KEY`. An API that cannot decrypt it has a different key from the one
 * that encrypted the secrets in this database. NULL: the next API to start encrypts the text with its own key.
 */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS secret_canary (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    sealed VARBINARY(255) NULL) ${TABLE}`);
}
