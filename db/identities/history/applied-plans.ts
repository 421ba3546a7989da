import type { Database } from '../../client/connect.js';
import { sqlNow } from '../../client/now.js';

/** A job that applied the plan of a dry run. */
export interface AppliedPlan {
  jobId: string;
  /** The dry run. */
  planId: string;
  /** The API key that started the dry run. */
  plannedBy: string;
  /** Why it was applied, as the one who did it has said; null if nothing was said. */
  reason: string | null;
}

/** Records that a job applies a plan, in the transaction that records the job. */
export async function insertAppliedPlan(transaction: Database, plan: AppliedPlan): Promise<void> {
  await transaction('applied_plans').insert({
    job_id: plan.jobId,
    plan_id: plan.planId,
    planned_by: plan.plannedBy,
    reason: plan.reason,
    created_at: sqlNow(transaction),
  });
}

/** Returns which of these jobs applied which plan, by the id of the job. */
export async function findAppliedPlans(
  database: Database,
  jobIds: readonly string[],
): Promise<Map<string, AppliedPlan>> {
  if (jobIds.length === 0) return new Map();
  const rows = await database('applied_plans').whereIn('job_id', jobIds);
  return new Map(
    rows.map((row) => [
      row.job_id,
      { jobId: row.job_id, planId: row.plan_id, plannedBy: row.planned_by, reason: row.reason },
    ]),
  );
}

/**
 * Returns the job that applies a plan or has applied it; null if there is none, or all of them failed or were canceled. The row of the dry run must be
 * locked, so that no other request starts one.
 */
export async function findApply(
  transaction: Database,
  planId: string,
): Promise<{ id: string; isOpen: boolean } | null> {
  const row = await transaction('applied_plans')
    .join('jobs', 'jobs.id', 'applied_plans.job_id')
    .where('applied_plans.plan_id', planId)
    .whereNotIn('jobs.state', ['failed', 'canceled'])
    .first('jobs.id', 'jobs.finished_at');
  return row ? { id: row.id, isOpen: row.finished_at === null } : null;
}

/** Returns the job that applies each of these plans or has applied it, by plan. Those that failed or were canceled are left out. */
export async function appliesOf(
  database: Database,
  planIds: readonly string[],
): Promise<Map<string, string>> {
  if (planIds.length === 0) return new Map();
  const rows = await database('applied_plans')
    .join('jobs', 'jobs.id', 'applied_plans.job_id')
    .whereIn('applied_plans.plan_id', planIds)
    .whereNotIn('jobs.state', ['failed', 'canceled'])
    .select('applied_plans.plan_id', 'applied_plans.job_id');
  return new Map(rows.map((row) => [row.plan_id, row.job_id]));
}

/** Deletes the oldest plans that were applied before `before` and whose jobs are deleted. Returns their number. */
export const deleteAppliedPlans = (database: Database, before: Date, limit: number): Promise<number> =>
  database('applied_plans')
    .where('created_at', '<', before)
    .whereNotExists((job) =>
      job.select(database.raw('1')).from('jobs').whereRaw('jobs.id = applied_plans.job_id'),
    )
    .orderBy('created_at')
    .limit(limit)
    .delete();
