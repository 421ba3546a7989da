import type { Knex } from 'knex';

const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';
const BINARY_ID = 'BINARY(16)';
const WORD = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin';

const TABLES = {
  /**
   * One row per series, with the state after its newest item. `providers` says which items the texts of the latest alert come from.
   * `refold_from`: the items from this time on must be folded again; NULL: everything is folded.
   */
  series: `
    id ${BINARY_ID} NOT NULL PRIMARY KEY,
    webhook_id ${BINARY_ID} NOT NULL,
    dedup_key VARCHAR(255) NOT NULL,
    last_received_at DATETIME(3) NULL,
    last_item ${BINARY_ID} NULL,
    firing TINYINT UNSIGNED NOT NULL DEFAULT 0,
    alert_received_at DATETIME(3) NULL,
    alert_id ${BINARY_ID} NULL,
    alert_last_received_at DATETIME(3) NULL,
    alert_last_item ${BINARY_ID} NULL,
    event_count INT UNSIGNED NOT NULL DEFAULT 0,
    previous_alert_id ${BINARY_ID} NULL,
    severity VARCHAR(255) NULL,
    providers MEDIUMTEXT NULL,
    alert_bytes INT UNSIGNED NOT NULL DEFAULT 0,
    refold_from DATETIME(3) NULL,
    KEY by_firing (firing, alert_received_at, alert_id),
    KEY by_webhook (webhook_id, firing, alert_received_at, alert_id),
    KEY by_key (dedup_key),
    KEY by_refold (refold_from, id)`,

  /**
   * One row per item, clustered by time of arrival like events. `ranks` says how each field got its value. `event_count` is above 1 in
   * a row that stands for the expired items of an alert.
   */
  series_items: `
    received_at DATETIME(3) NOT NULL,
    id ${BINARY_ID} NOT NULL,
    series_id ${BINARY_ID} NOT NULL,
    status ${WORD} NOT NULL,
    state ${WORD} NOT NULL,
    revision INT UNSIGNED NOT NULL,
    event_count INT UNSIGNED NOT NULL DEFAULT 1,
    title VARCHAR(255) NULL,
    severity VARCHAR(255) NULL,
    description TEXT NULL,
    source VARCHAR(255) NULL,
    service VARCHAR(255) NULL,
    environment VARCHAR(255) NULL,
    team VARCHAR(255) NULL,
    custom MEDIUMTEXT NULL,
    faults TEXT NULL,
    ranks TEXT NOT NULL,
    PRIMARY KEY (received_at, id),
    KEY by_series (series_id, received_at, id, status)`,

  /** The alerts of each series in order. `received_at` and `alert_id` are the primary key of the alert. */
  series_alerts: `
    series_id ${BINARY_ID} NOT NULL,
    received_at DATETIME(3) NOT NULL,
    alert_id ${BINARY_ID} NOT NULL,
    PRIMARY KEY (series_id, received_at, alert_id)`,
};

/** NULL in stand-alone alerts, and in events without an item that has a dedupKey. */
const COLUMNS: Record<string, Record<string, string>> = {
  alerts: {
    dedup_key: 'VARCHAR(255) NULL',
    last_event_at: 'DATETIME(3) NULL',
    resolved_at: 'DATETIME(3) NULL',
    event_count: 'INT UNSIGNED NULL',
    previous_alert_id: `${BINARY_ID} NULL`,
  },
  events: { keyed_count: 'SMALLINT UNSIGNED NULL' },
};

export async function up(database: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES)) {
    await database.raw(`CREATE TABLE IF NOT EXISTS ${name} (${columns}) ${TABLE}`);
  }
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [name, type] of Object.entries(columns)) {
      // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
      if (await database.schema.hasColumn(table, name)) continue;
      // INSTANT fails where the server would copy the table instead, which may have many millions of rows.
      await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
    }
  }
}
