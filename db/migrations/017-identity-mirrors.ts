import type { Knex } from 'knex';

/**
 * The last upload that mirrored each account system: it is the complete truth for this account system, so it supersedes all
 * uploads that were accepted before it. The row of account system 0 has the greatest number of all, and is locked by every
 * chunk that is written.
 */
const COLUMNS = `
  integration_id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  acceptance BIGINT UNSIGNED NOT NULL`;

export async function up(database: Knex): Promise<void> {
  await database.raw(
    `CREATE TABLE IF NOT EXISTS identity_mirrors (${COLUMNS}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  );
  await database.raw('INSERT IGNORE INTO identity_mirrors (integration_id, acceptance) VALUES (0, 0)');
}
