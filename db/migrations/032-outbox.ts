import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const ID = `CHAR(36) ${ASCII} NOT NULL`;

/**
 * `destinations`: who is told of alerts; the API writes them.
 * `outbox`: changes of alerts of which nobody has been told, written in their transactions. A worker makes `transitions` of them, which have
 * the alert as it was then, and `messages`, one for each destination, in the order in which they are sent for each key.
 * `message_attempts`: requests of messages. `beliefs`: what destinations know of alerts. `lanes`: which destinations have messages that are due,
 * and which worker sends them.
 */
const TABLES: Record<string, string> = {
  destinations: `
    id ${ID} PRIMARY KEY,
    name VARCHAR(200) NOT NULL,
    description VARCHAR(1000) NOT NULL,
    preset VARCHAR(40) ${ASCII} NOT NULL,
    url VARBINARY(8192) NOT NULL,
    host VARCHAR(300) NOT NULL,
    secret VARBINARY(1024) NULL,
    previous_secret VARBINARY(1024) NULL,
    previous_secret_expires_at DATETIME(3) NULL,
    webhook_ids TEXT NULL,
    types VARCHAR(200) ${ASCII} NOT NULL,
    severity_at_least VARCHAR(20) ${ASCII} NULL,
    mode VARCHAR(10) ${ASCII} NOT NULL,
    settle_s INT UNSIGNED NOT NULL,
    rate_per_minute INT UNSIGNED NULL,
    paused_at DATETIME(3) NULL,
    revision INT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    deleted_at DATETIME(3) NULL,
    saved_by_id CHAR(36) ${ASCII} NULL,
    saved_by_name VARCHAR(255) NULL`,
  outbox: `
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
    kind VARCHAR(10) ${ASCII} NOT NULL,
    webhook_id BINARY(16) NOT NULL,
    series_id BINARY(16) NULL,
    alert_received_at DATETIME(3) NOT NULL,
    alert_id BINARY(16) NOT NULL,
    item_received_at DATETIME(3) NULL,
    item_id BINARY(16) NULL`,
  transitions: `
    id BIGINT UNSIGNED NOT NULL PRIMARY KEY,
    kind VARCHAR(10) ${ASCII} NOT NULL,
    created_at DATETIME(3) NOT NULL,
    webhook_id BINARY(16) NOT NULL,
    alert_id BINARY(16) NOT NULL,
    alert MEDIUMTEXT NOT NULL,
    KEY by_alert (alert_id, id),
    KEY by_time (created_at)`,
  messages: `
    destination_id ${ID},
    transition_id BIGINT UNSIGNED NOT NULL,
    key_id BINARY(16) NOT NULL,
    state VARCHAR(10) ${ASCII} NOT NULL,
    reason VARCHAR(40) ${ASCII} NULL,
    is_filtered TINYINT NOT NULL,
    attempts INT UNSIGNED NOT NULL,
    due_at DATETIME(3) NOT NULL,
    ended_at DATETIME(3) NULL,
    body MEDIUMBLOB NULL,
    PRIMARY KEY (destination_id, transition_id),
    KEY by_due (destination_id, state, due_at),
    KEY by_key (destination_id, key_id, state, transition_id),
    KEY by_transition (transition_id),
    KEY by_end (ended_at)`,
  message_attempts: `
    destination_id ${ID},
    transition_id BIGINT UNSIGNED NOT NULL,
    number INT UNSIGNED NOT NULL,
    began_at DATETIME(3) NOT NULL,
    took_ms INT UNSIGNED NULL,
    outcome VARCHAR(20) ${ASCII} NULL,
    status SMALLINT UNSIGNED NULL,
    response TEXT NULL,
    PRIMARY KEY (destination_id, transition_id, number),
    KEY by_time (began_at)`,
  beliefs: `
    destination_id ${ID},
    key_id BINARY(16) NOT NULL,
    alert_id BINARY(16) NOT NULL,
    firing TINYINT NOT NULL,
    severity VARCHAR(255) NULL,
    transition_id BIGINT UNSIGNED NOT NULL,
    told_at DATETIME(3) NOT NULL,
    PRIMARY KEY (destination_id, key_id),
    KEY by_time (told_at)`,
  lanes: `
    destination_id ${ID} PRIMARY KEY,
    due_at DATETIME(3) NULL,
    lease_until DATETIME(3) NULL,
    lease CHAR(36) ${ASCII} NULL,
    failures INT UNSIGNED NOT NULL,
    failing_since DATETIME(3) NULL,
    probe_at DATETIME(3) NULL,
    succeeded_at DATETIME(3) NULL,
    stopped VARCHAR(40) ${ASCII} NULL,
    KEY by_due (due_at)`,
};

export async function up(database: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES))
    await database.raw(`CREATE TABLE IF NOT EXISTS ${name} (${columns}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`);
  // Its lock lets one worker at a time make transitions of the outbox.
  await database.raw("INSERT IGNORE INTO lanes (destination_id, failures) VALUES ('fan-out', 0)");
  if (await database.schema.hasColumn('webhooks', 'muted_until')) return;
  await database.raw('ALTER TABLE webhooks ADD COLUMN muted_until DATETIME(3) NULL, ALGORITHM=INSTANT');
}
