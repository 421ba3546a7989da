import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/**
 * `destinations.filter`: a condition over an alert and its change; null: none. `destinations.body`: what draws the bodies of messages, as JSON;
 * null: the preset does. `messages.detail`: which clause filtered a message, why a filter could not decide, or what is wrong with a body.
 */
const COLUMNS = [
  ['destinations', 'filter', 'TEXT NULL'],
  ['destinations', 'body', 'MEDIUMTEXT NULL'],
  ['messages', 'detail', 'VARCHAR(1000) NULL'],
] as const;

export async function up(database: Knex): Promise<void> {
  for (const [table, column, type] of COLUMNS) {
    if (await database.schema.hasColumn(table, column)) continue;
    await database.raw(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}, ALGORITHM=INSTANT`);
  }
}
