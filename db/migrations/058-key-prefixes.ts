import type { Knex } from 'knex';

/** See `prefixOf` in `db/access/api-keys.ts`. A key of an earlier release has no prefix, because only the hash of its text is stored. */
export async function up(database: Knex): Promise<void> {
  if (await database.schema.hasColumn('api_keys', 'prefix')) return;
  await database.raw(
    'ALTER TABLE api_keys ADD COLUMN prefix VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL, ADD KEY by_prefix (prefix)',
  );
}
