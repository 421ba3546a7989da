import type { Knex } from 'knex';

const ID = 'CHAR(36) CHARACTER SET ascii COLLATE ascii_bin';

/**
 * Which job applied the plan of which dry run, who had planned it, and why it was applied. The row stays as long as the history of accounts, which
 * names the job: jobs are deleted long before.
 */
const APPLIED_PLANS = `
  job_id ${ID} NOT NULL PRIMARY KEY,
  plan_id ${ID} NOT NULL,
  planned_by ${ID} NOT NULL,
  reason VARCHAR(500) NULL,
  created_at DATETIME(3) NOT NULL,
  KEY by_plan (plan_id),
  KEY by_created_at (created_at)`;

export async function up(database: Knex): Promise<void> {
  await database.raw(
    `CREATE TABLE IF NOT EXISTS applied_plans (${APPLIED_PLANS}) ENGINE=InnoDB ROW_FORMAT=DYNAMIC`,
  );
}
