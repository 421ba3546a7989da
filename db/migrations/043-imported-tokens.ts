import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

/** Tokens that another product made: see `db/webhooks/imported-tokens.ts`. */
export async function up(database: Knex): Promise<void> {
  if (await database.schema.hasColumn('webhook_tokens', 'imported_id')) return;
  await database.raw(`ALTER TABLE webhook_tokens
    ADD COLUMN imported_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    ADD COLUMN imported_from VARCHAR(100) NULL,
    ADD COLUMN ending VARCHAR(4) CHARACTER SET ascii COLLATE ascii_bin NULL,
    ALGORITHM=INSTANT`);
}
