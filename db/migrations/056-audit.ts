import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';
const SHARDS = 16;

/** See `db/audit/write-audit.ts`. */
const ENTRIES = `
  shard TINYINT UNSIGNED NOT NULL,
  sequence BIGINT UNSIGNED NOT NULL,
  id CHAR(36) ${ASCII} NOT NULL,
  at DATETIME(3) NOT NULL,
  actor_kind VARCHAR(10) ${ASCII} NOT NULL,
  actor_id CHAR(36) ${ASCII} NULL,
  actor_name VARCHAR(255) NOT NULL,
  action VARCHAR(60) ${ASCII} NOT NULL,
  object_kind VARCHAR(30) ${ASCII} NOT NULL,
  object_id VARCHAR(255) NULL,
  object_name VARCHAR(255) NULL,
  old_members MEDIUMTEXT NULL,
  new_members MEDIUMTEXT NULL,
  request_id VARCHAR(128) ${ASCII} NULL,
  address VARCHAR(50) ${ASCII} NULL,
  hash BINARY(32) NOT NULL,
  PRIMARY KEY (shard, sequence),
  KEY by_time (at, id),
  KEY by_actor (actor_id, at, id),
  KEY by_action (action, at, id),
  KEY by_object (object_kind, object_id, at, id),
  KEY by_request (request_id)`;

/** The last entry of each shard, and the last one that has expired. Zeros: none. See `db/audit/chain.ts`. */
const PLACES = `
  shard TINYINT UNSIGNED NOT NULL PRIMARY KEY,
  sequence BIGINT UNSIGNED NOT NULL,
  hash BINARY(32) NOT NULL`;

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS audit_entries (${ENTRIES}) ${TABLE}`);
  for (const name of ['audit_heads', 'audit_checkpoints']) {
    await database.raw(`CREATE TABLE IF NOT EXISTS ${name} (${PLACES}) ${TABLE}`);
    const places = Array.from({ length: SHARDS }, (_, shard) => ({
      shard,
      sequence: 0,
      hash: Buffer.alloc(32),
    }));
    await database(name).insert(places).onConflict('shard').ignore();
  }
}
