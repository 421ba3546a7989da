import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** Repetitions of an event that are only counted: see `db/series/series-expiries.ts`. */
export async function up(database: Knex): Promise<void> {
  if (await database.schema.hasColumn('series_expiries', 'repetitions')) return;
  await database.raw(`ALTER TABLE series_expiries
    ADD COLUMN heard_at DATETIME(3) NULL,
    ADD COLUMN digest BINARY(16) NULL,
    ADD COLUMN repetitions INT UNSIGNED NOT NULL DEFAULT 0,
    ALGORITHM=INSTANT`);
}
