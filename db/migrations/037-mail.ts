import type { Knex } from 'knex';

/** An interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** `headers`: what a destination sends with each message besides Muster's own headers, encrypted JSON. Null: nothing. */
export async function up(database: Knex): Promise<void> {
  if (await database.schema.hasColumn('destinations', 'headers')) return;
  await database.raw('ALTER TABLE destinations ADD COLUMN headers VARBINARY(16384) NULL, ALGORITHM=INSTANT');
}
