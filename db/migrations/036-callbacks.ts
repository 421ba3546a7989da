import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** `outbox.job`: the job that has ended, as its `destination_id` is told of it. */
export async function up(database: Knex): Promise<void> {
  if (await database.schema.hasColumn('outbox', 'job')) return;
  await database.raw('ALTER TABLE outbox ADD COLUMN job MEDIUMTEXT NULL, ALGORITHM=INSTANT');
}
