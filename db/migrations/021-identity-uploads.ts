import type { Knex } from 'knex';

/**
 * The uploads that created accounts, by acceptance number. Jobs are deleted long before the history of the accounts expires.
 */
const UPLOADS = `
  acceptance BIGINT UNSIGNED NOT NULL PRIMARY KEY,
  job_id BINARY(16) NOT NULL,
  api_key_id BINARY(16) NOT NULL`;

/**
 * The upload that created the account. NULL once the owner has changed, for a removed account, without history, and for the accounts of
 * earlier releases.
 */
const CREATED_BY = 'ALTER TABLE identities ADD COLUMN created_by BIGINT UNSIGNED NULL, ALGORITHM=INSTANT';

export async function up(database: Knex): Promise<void> {
  await database.raw(
    `CREATE TABLE IF NOT EXISTS identity_uploads (${UPLOADS}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  );
  if (!(await database.schema.hasColumn('identities', 'created_by'))) await database.raw(CREATED_BY);
}
