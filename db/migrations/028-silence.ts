import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const KEY = `webhook_id CHAR(36) ${ASCII} NOT NULL, name VARCHAR(64) ${ASCII} NOT NULL`;

/**
 * `heartbeats`: jobs of other systems that are expected to report to an integration, by their names; the API writes them.
 * `heartbeat_states`: what they reported last, and when it is next to be checked whether they still do; workers write them.
 * `silences`: integrations that had no event for longer than they promise.
 */
const TABLES: Record<string, string> = {
  heartbeats: `${KEY},
    description VARCHAR(1000) NOT NULL,
    period_s INT UNSIGNED NULL,
    cron VARCHAR(100) ${ASCII} NULL,
    time_zone VARCHAR(64) ${ASCII} NOT NULL,
    grace_s INT UNSIGNED NOT NULL,
    max_run_s INT UNSIGNED NULL,
    severity VARCHAR(255) NOT NULL,
    created_at DATETIME(3) NOT NULL,
    updated_at DATETIME(3) NOT NULL,
    saved_by_id CHAR(36) ${ASCII} NULL,
    saved_by_name VARCHAR(255) NULL,
    PRIMARY KEY (webhook_id, name)`,
  heartbeat_states: `${KEY},
    succeeded_at DATETIME(3) NULL,
    started_at DATETIME(3) NULL,
    failed_at DATETIME(3) NULL,
    exit_status TINYINT UNSIGNED NULL,
    raised VARCHAR(10) ${ASCII} NULL,
    raised_at DATETIME(3) NULL,
    due_at DATETIME(3) NULL,
    PRIMARY KEY (webhook_id, name),
    KEY by_due (due_at)`,
  silences: `
    webhook_id CHAR(36) ${ASCII} NOT NULL PRIMARY KEY,
    began_at DATETIME(3) NOT NULL`,
};

const COLUMNS: Record<string, Record<string, string>> = {
  // JSON of the rule, and since when it holds.
  webhooks: { silence: 'VARCHAR(500) NULL', silence_since: 'DATETIME(3) NULL' },
  // The last request that was not accepted, and why.
  webhook_tokens: { refused_at: 'DATETIME(3) NULL', refused_code: `VARCHAR(40) ${ASCII} NULL` },
};

export async function up(database: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(TABLES))
    await database.raw(`CREATE TABLE IF NOT EXISTS ${name} (${columns}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`);
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [name, type] of Object.entries(columns)) {
      if (await database.schema.hasColumn(table, name)) continue;
      await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
    }
  }
}
