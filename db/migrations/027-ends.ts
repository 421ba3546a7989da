import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const WORD = 'VARCHAR(40) CHARACTER SET ascii COLLATE ascii_bin NULL';

/** When the intake accepted events: see `db/upkeep/listening.ts`. */
const LISTENING = `
  id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  began_at DATETIME(3) NOT NULL,
  last_seen_at DATETIME(3) NOT NULL,
  KEY by_last_seen (last_seen_at)`;

/**
 * How alerts end, and how severe they were. `origin`, `closed_by` and `resolved_by` say who ended an alert: `person`, `expiry`, or `event`, which
 * the first two have as NULL. `silent_since` is the time of the newest event that an expiry knew of. `by_key_id` and `by_key_name` are the API
 * key of a person, `by_job_id` is the job that resolved the alert for that person. `series.peak` has the most severe severity of the latest alert, with its time.
 */
const COLUMNS: Record<string, Record<string, string>> = {
  series_items: {
    origin: WORD,
    silent_since: 'DATETIME(3) NULL',
    by_key_id: 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL',
    by_key_name: 'VARCHAR(255) NULL',
    by_job_id: 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL',
  },
  series: { closed_by: WORD, peak: 'VARCHAR(280) NULL' },
  alerts: {
    resolved_by: WORD,
    resolution: 'TEXT NULL',
    peak_severity: 'VARCHAR(255) NULL',
    peak_at: 'DATETIME(3) NULL',
  },
  webhooks: { resolve_after_s: 'INT UNSIGNED NULL' },
};

export async function up(database: Knex): Promise<void> {
  await database.raw(
    `CREATE TABLE IF NOT EXISTS listening_periods (${LISTENING}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  );
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [name, type] of Object.entries(columns)) {
      // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
      if (await database.schema.hasColumn(table, name)) continue;
      // INSTANT fails where the server would copy the table instead, which may have many millions of rows.
      await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
    }
  }
}
