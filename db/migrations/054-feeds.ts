import type { Knex } from 'knex';

/** Each statement is committed on its own: an interrupted migration continues where it was. */
export const config = { transaction: false } as const;

const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';
const ID = `CHAR(36) ${ASCII}`;
const TABLE = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin ROW_FORMAT=DYNAMIC';

/** See `db/feeds/feeds.ts`. A feed that was deleted has no name. */
const FEEDS = `
  id ${ID} NOT NULL,
  name VARCHAR(100) NULL,
  settings MEDIUMTEXT NOT NULL,
  secrets BLOB NULL,
  next_run_at DATETIME(3) NULL,
  seen MEDIUMTEXT NULL,
  problem VARCHAR(20) ${ASCII} NULL,
  problem_at DATETIME(3) NULL,
  revision INT UNSIGNED NOT NULL,
  saved_by_id ${ID} NOT NULL,
  saved_by_name VARCHAR(255) NULL,
  created_at DATETIME(3) NOT NULL,
  updated_at DATETIME(3) NOT NULL,
  deleted_at DATETIME(3) NULL,
  PRIMARY KEY (id),
  UNIQUE KEY by_name (name),
  KEY by_next_run (next_run_at)`;

/** See `db/feeds/feed-runs.ts`. */
const RUNS = `
  job_id ${ID} NOT NULL,
  feed_id ${ID} NOT NULL,
  started_at DATETIME(3) NOT NULL,
  ended_at DATETIME(3) NULL,
  started_by VARCHAR(10) ${ASCII} NOT NULL,
  is_dry_run TINYINT(1) NOT NULL,
  state VARCHAR(10) ${ASCII} NOT NULL,
  file MEDIUMTEXT NULL,
  plan_id ${ID} NULL,
  apply_id ${ID} NULL,
  facts TEXT NULL,
  tripped TEXT NULL,
  error TEXT NULL,
  PRIMARY KEY (job_id),
  KEY by_feed (feed_id, started_at, job_id),
  KEY by_plan (plan_id),
  KEY by_state (state),
  KEY by_start (started_at)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS feeds (${FEEDS}) ${TABLE}`);
  await database.raw(`CREATE TABLE IF NOT EXISTS feed_runs (${RUNS}) ${TABLE}`);
}
