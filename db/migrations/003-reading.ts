import type { Knex } from 'knex';

/** What reading asks for: how far a replica is, and jobs by type and by maker, newest first (InnoDB puts the id behind). */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS replica_heartbeat (
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    beat_at DATETIME(3) NOT NULL) ENGINE=InnoDB`);
  // Last, so that a migration that broke off can simply run again.
}

export async function down(database: Knex): Promise<void> {
  await database.raw('DROP TABLE IF EXISTS replica_heartbeat');
}
