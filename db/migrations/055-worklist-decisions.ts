import type { Knex } from 'knex';

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/**
 * See `db/identities/worklist-decisions.ts`. An account has one decision with an empty `rejected_email`, and one for each email that is not its
 * owner.
 */
const DECISIONS = `
  integration_id BIGINT UNSIGNED NOT NULL,
  identity VARCHAR(255) NOT NULL,
  rejected_email VARCHAR(254) NOT NULL,
  decision VARCHAR(20) ${ASCII} NOT NULL,
  email VARCHAR(254) NULL,
  suggested_email VARCHAR(254) NULL,
  reason VARCHAR(500) NULL,
  rule VARCHAR(40) ${ASCII} NULL,
  score TINYINT UNSIGNED NULL,
  decided_by_id CHAR(36) ${ASCII} NOT NULL,
  decided_by_name VARCHAR(255) NOT NULL,
  decided_at DATETIME(3) NOT NULL,
  PRIMARY KEY (integration_id, identity, rejected_email)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS worklist_decisions (${DECISIONS}) ${TABLE}`);
}
