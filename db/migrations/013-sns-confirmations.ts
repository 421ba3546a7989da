import type { Knex } from 'knex';

const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/**
 * Confirmed subscriptions of Amazon SNS. `id` and `received_at` are those of the event that requested it. A table of its own, because the
 * API's account must not write events.
 */
export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS sns_confirmations (
    id BINARY(16) NOT NULL PRIMARY KEY,
    received_at DATETIME(3) NOT NULL,
    subscription_arn VARCHAR(300) NULL,
    confirmed_at DATETIME(3) NOT NULL,
    confirmed_by_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    confirmed_by_name VARCHAR(100) NOT NULL,
    KEY by_received_at (received_at, id)) ${TABLE}`);
}
