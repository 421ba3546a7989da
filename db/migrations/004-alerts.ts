import type { Knex } from 'knex';

/** The same as in the first migration. */
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';
const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const WORD = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin';
/** A UUID in 16 bytes, for the two large tables: their indexes are half the size. */
const BINARY_ID = 'BINARY(16)';

const TABLES = {
  /** A deleted integration keeps its row: its alerts still refer to it. */
  webhooks: `
    id ${ID} NOT NULL PRIMARY KEY,
    name VARCHAR(100) NOT NULL,
    description VARCHAR(1000) NOT NULL,
    template ${WORD} NULL,
    mapping_revision INT UNSIGNED NOT NULL,
    signature_scheme ${WORD} NULL,
    signature_secret VARBINARY(1024) NULL,
    events_per_minute INT UNSIGNED NULL,
    over_limit_status SMALLINT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    deleted_at DATETIME(3) NULL,
    KEY by_created_at (created_at, id)`,

  /** The secret part of each webhook URL: looked up by its hash, decrypted to show it. */
  webhook_tokens: `
    token_hash BINARY(32) NOT NULL PRIMARY KEY,
    webhook_id ${ID} NOT NULL,
    sealed VARBINARY(255) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    last_used_at DATETIME(3) NULL,
    KEY by_webhook (webhook_id, created_at)`,

  /** One row. Every change increments `version` in its own transaction; API hosts poll it to notice changes. */
  webhook_changes: `
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    version BIGINT UNSIGNED NOT NULL`,

  /** Rows are never updated. */
  mapping_revisions: `
    webhook_id ${ID} NOT NULL,
    revision INT UNSIGNED NOT NULL,
    mapping MEDIUMTEXT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (webhook_id, revision)`,

  /** Clustered by time of arrival: rows are inserted, listed and expired in the order in which they are stored. */
  events: `
    received_at DATETIME(3) NOT NULL,
    id ${BINARY_ID} NOT NULL,
    webhook_id ${BINARY_ID} NOT NULL,
    state ${WORD} NOT NULL,
    revision INT UNSIGNED NOT NULL,
    alert_count SMALLINT UNSIGNED NOT NULL,
    faults TEXT NULL,
    raw MEDIUMBLOB NOT NULL,
    PRIMARY KEY (received_at, id),
    UNIQUE KEY by_id (id),
    KEY by_webhook (webhook_id, received_at),
    KEY by_state (state, received_at)`,

  /** An alert's id contains its event's id, so finding the alerts of an event needs no further index. */
  alerts: `
    received_at DATETIME(3) NOT NULL,
    id ${BINARY_ID} NOT NULL,
    webhook_id ${BINARY_ID} NOT NULL,
    state ${WORD} NOT NULL,
    revision INT UNSIGNED NOT NULL,
    title VARCHAR(255) NULL,
    severity VARCHAR(255) NULL,
    description TEXT NULL,
    source VARCHAR(255) NULL,
    service VARCHAR(255) NULL,
    environment VARCHAR(255) NULL,
    team VARCHAR(255) NULL,
    custom MEDIUMTEXT NULL,
    faults TEXT NULL,
    PRIMARY KEY (received_at, id),
    UNIQUE KEY by_id (id),
    KEY by_webhook (webhook_id, received_at),
    KEY by_state (state, received_at)`,
};

export async function up(database: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) {
    await database.raw(`CREATE TABLE IF NOT EXISTS ${name} (${columns}) ${TABLE}`);
  }
  await database.raw('INSERT IGNORE INTO webhook_changes (id, version) VALUES (1, 1)');
}
