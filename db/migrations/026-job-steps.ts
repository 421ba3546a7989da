import type { Knex } from 'knex';

/**
 * The ledger of all jobs that work in steps. `resume` says where the next step starts, `counts` what the step did, as JSON. `changes_kept` is NULL
 * if the changes of the step are not stored.
 */
const STEPS = `
  job_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  phase TINYINT UNSIGNED NOT NULL,
  step INT UNSIGNED NOT NULL,
  row_count INT UNSIGNED NOT NULL,
  checksum BINARY(8) NOT NULL,
  resume VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
  counts VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  changes_kept TINYINT UNSIGNED NULL,
  PRIMARY KEY (job_id, phase, step)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(`CREATE TABLE IF NOT EXISTS job_steps (${STEPS}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`);
}
