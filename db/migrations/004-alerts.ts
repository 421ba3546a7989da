import type { Knex } from 'knex';

/** As in the first migration. */
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';
const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';
const WORD = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin';
/** The same id in 16 bytes, for the two large tables: their indexes are half as big. */
const SHORT_ID = 'BINARY(16)';

const TABLES = {
  /** A deleted integration keeps its row, so that its alerts can still be told whose they are. */
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

  /** The secret part of each URL, found by hash and shown again by decryption. */
  webhook_tokens: `
    token_hash BINARY(32) NOT NULL PRIMARY KEY,
    webhook_id ${ID} NOT NULL,
    sealed VARBINARY(255) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    expires_at DATETIME(3) NULL,
    last_used_at DATETIME(3) NULL,
    KEY by_webhook (webhook_id, created_at)`,

  /** One row, whose version goes up in the transaction of every change: API hosts look at it to know of changes. */
  webhook_changes: `
    id TINYINT UNSIGNED NOT NULL PRIMARY KEY,
    version BIGINT UNSIGNED NOT NULL`,

  /** Never changed once written. */
  mapping_revisions: `
    webhook_id ${ID} NOT NULL,
    revision INT UNSIGNED NOT NULL,
    mapping MEDIUMTEXT NOT NULL,
    created_at DATETIME(3) NOT NULL,
    PRIMARY KEY (webhook_id, revision)`,

  /** In the order of their arrival, so that rows are appended, listed and expired in the order in which they lie. */
  events: `
    received_at DATETIME(3) NOT NULL,
    id ${SHORT_ID} NOT NULL,
    webhook_id ${SHORT_ID} NOT NULL,
    state ${WORD} NOT NULL,
    revision INT UNSIGNED NOT NULL,
    alert_count SMALLINT UNSIGNED NOT NULL,
    faults TEXT NULL,
    raw MEDIUMBLOB NOT NULL,
    PRIMARY KEY (received_at, id),
    UNIQUE KEY by_id (id),
    KEY by_webhook (webhook_id, received_at),
    KEY by_state (state, received_at)`,

  /** An alert's id holds its event's, so an event's alerts need no index of their own. */
  alerts: `
    received_at DATETIME(3) NOT NULL,
    id ${SHORT_ID} NOT NULL,
    webhook_id ${SHORT_ID} NOT NULL,
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

export async function down(database: Knex): Promise<void> {
  for (const name of Object.keys(TABLES)) await database.raw(`DROP TABLE IF EXISTS ${name}`);
}
