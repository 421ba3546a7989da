import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** When the alert of a series expires, as its newest event says: see `db/series/series-expiries.ts`. */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS series_expiries (
    series_id BINARY(16) NOT NULL PRIMARY KEY,
    received_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    KEY by_expiry (expires_at, series_id)
  ) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`);
}
