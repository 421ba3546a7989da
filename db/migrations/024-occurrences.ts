import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const OCCURRENCE = 'VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL';

/**
 * What the fold of a series needs to recognize late news, all NULL for series without occurrences. `series.ended` is the newest occurrence that was
 * resolved, `series.occurrence` that of the latest alert, `series.expired_end` and `series_alerts.ended_before` are what had been resolved before
 * the items that are stored, and before an alert. An empty text stands for an end without a value.
 */
const COLUMNS: Record<string, Record<string, string>> = {
  series_items: { occurrence: OCCURRENCE, is_final: 'TINYINT UNSIGNED NOT NULL DEFAULT 0' },
  series: { ended: OCCURRENCE, occurrence: OCCURRENCE, expired_end: OCCURRENCE },
  series_alerts: { ended_before: OCCURRENCE },
  alerts: { is_test: 'TINYINT UNSIGNED NULL' },
};

export async function up(database: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [name, type] of Object.entries(columns)) {
      // MySQL has no `ADD COLUMN IF NOT EXISTS`, and an interrupted migration is run again.
      if (await database.schema.hasColumn(table, name)) continue;
      // INSTANT fails where the server would copy the table instead, which may have many millions of rows.
      await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
    }
  }
}
