import type { Knex } from 'knex';
import { keyNames } from './large-table.js';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/** Columns, by their table and name. `repeat_from`: since when a destination has heard nothing more of an alert. */
const COLUMNS: Record<string, Record<string, string>> = {
  destinations: {
    repeat_every_minutes: 'INT UNSIGNED NULL',
    digest_above: 'INT UNSIGNED NULL',
  },
  outbox: { destination_id: `CHAR(36) ${ASCII} NULL` },
  messages: { digest_id: 'BIGINT UNSIGNED NULL' },
  beliefs: { repeat_from: 'DATETIME(3) NULL' },
};

export async function up(database: Knex): Promise<void> {
  for (const [table, columns] of Object.entries(COLUMNS))
    for (const [name, type] of Object.entries(columns))
      if (!(await database.schema.hasColumn(table, name)))
        await database.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}, ALGORITHM=INSTANT`);
  await database.raw('UPDATE beliefs SET repeat_from = told_at WHERE repeat_from IS NULL');
  if ((await keyNames(database, 'beliefs')).has('by_repeat')) return;
  await database.raw('ALTER TABLE beliefs ADD KEY by_repeat (destination_id, firing, repeat_from)');
}
