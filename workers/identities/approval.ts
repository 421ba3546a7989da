import { hasSteps } from '../../db/jobs/job-steps.js';
import { JobFailure } from '../run/errors.js';
import type { WorkerServices } from '../run/services.js';
import { counted, wholeNumber } from '../text/quantities.js';

/**
 * Refuses a job that would remove so many accounts that another API key must apply it as a plan (`APPROVAL_REMOVALS`), before its first row is
 * written.
 * @param count returns how many accounts the job removes at most; called only if there is a limit
 * @throws JobFailure `approval_required`
 */
export async function requireNoApproval(
  jobId: string,
  count: () => Promise<number> | number,
  { settings: { approvalRemovals: limit }, database }: WorkerServices,
): Promise<void> {
  if (limit === null || (await hasSteps(database, jobId))) return;
  const removals = await count();
  if (removals > limit) throw approvalRequired(removals, limit, 'Nothing was written.');
}

/** @param written what the job has written */
export const approvalRequired = (removals: number, limit: number, written: string): JobFailure =>
  new JobFailure(
    'approval_required',
    `The change removes up to ${counted(removals, 'account')}, and more than ${wholeNumber(limit)} need an approval. ${written} ` +
      'Send it with dryRun=true, and let another API key with the scope developer_records:approve apply the plan: POST /v2/jobs/{id}/apply.',
  );
