import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** The alert as it was at a transition: folding its items again for each took most of the time in which destinations were told of a burst. */
export async function up(database: Knex): Promise<void> {
  if (await database.schema.hasColumn('outbox', 'alert')) return;
  await database.raw('ALTER TABLE outbox ADD COLUMN alert LONGTEXT NULL, ALGORITHM=INSTANT');
}
