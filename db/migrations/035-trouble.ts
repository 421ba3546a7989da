import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/**
 * `messages.replayed_at`: when the message was last sent again, after `attempts_before` attempts. `copy`: how often as a new one, with another id.
 * `lanes.dead_at`: when a message was given up last. `trouble`: what Muster has raised an alert about, and since when. `resume`: which of the
 * messages up to `resume_up_to` are sent when the lane goes on; null: all.
 */
const COLUMNS = {
  messages: {
    replayed_at: 'DATETIME(3) NULL',
    attempts_before: 'INT UNSIGNED NOT NULL DEFAULT 0',
    copy: 'INT UNSIGNED NOT NULL DEFAULT 0',
  },
  lanes: {
    dead_at: 'DATETIME(3) NULL',
    trouble: 'VARCHAR(20) CHARACTER SET ascii COLLATE ascii_bin NULL',
    trouble_at: 'DATETIME(3) NULL',
    resume: 'VARCHAR(10) CHARACTER SET ascii COLLATE ascii_bin NULL',
    resume_up_to: 'BIGINT UNSIGNED NULL',
  },
};

export async function up(database: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS)) {
    for (const [name, type] of Object.entries(columns)) {
      if (await database.schema.hasColumn(table, name)) continue;
      await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
    }
  }
}
