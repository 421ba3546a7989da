import type { Knex } from 'knex';

/** Workers write the primary's time here. A replica shows by it how far behind it is. */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS replica_heartbeat (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    beat_at DATETIME(3) NOT NULL) ENGINE=InnoDB`);
}
