import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/** What sends to each token: see `db/webhooks/senders.ts`. */
const SENDERS = `
  token_hash BINARY(32) NOT NULL,
  sender BINARY(16) NOT NULL,
  path VARCHAR(60) ${ASCII} NULL,
  at_root TINYINT NOT NULL,
  host VARCHAR(100) ${ASCII} NOT NULL,
  user_agent VARCHAR(200) NOT NULL,
  first_at DATETIME(3) NOT NULL,
  last_at DATETIME(3) NOT NULL,
  requests BIGINT UNSIGNED NOT NULL,
  PRIMARY KEY (token_hash, sender),
  KEY by_last_at (last_at)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(
    `CREATE TABLE IF NOT EXISTS webhook_senders (${SENDERS}) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC`,
  );
}
