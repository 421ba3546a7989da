import type { Knex } from 'knex';

/** How far a replica is. */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS replica_heartbeat (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    beat_at DATETIME(3) NOT NULL) ENGINE=InnoDB`);
}

export async function down(database: Knex): Promise<void> {
  await database.raw('DROP TABLE IF EXISTS replica_heartbeat');
}
