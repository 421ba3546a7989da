import type { Knex } from 'knex';

/** How far upkeep has come with what it removes by age, so that a wrong clock or a mistaken setting does not remove everything at once. */
const HORIZONS = `
  subject VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
  horizon DATETIME(3) NOT NULL,
  moved_at DATETIME(3) NOT NULL,
  refused DATETIME(3) NULL,
  allowed DATETIME(3) NULL`;

export async function up(database: Knex): Promise<void> {
  await database.raw(
    `CREATE TABLE IF NOT EXISTS upkeep_horizons (${HORIZONS}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  );
}
