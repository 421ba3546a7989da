import { plannedRevert, type RecordedRow, revertOutcome } from '../../db/identities/chunk-outcome.js';
import { acceptanceOf } from '../../db/jobs/accepted-uploads.js';
import { sumSteps } from '../../db/jobs/job-steps.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { requireNoApproval } from '../identities/approval.js';
import { RecordedChanges, writeRecorded } from '../identities/recorded-changes.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { identityRevert } from '../queues/contracts/identity-revert.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';

/**
 * Takes back what a job changed: each account that no later upload has asserted gets the owner that it had before. The job
 * can be interrupted at any point; the ledger records which chunks are reverted.
 */
export async function revertIdentities(job: Job, services: WorkerServices): Promise<JobResult> {
  const { database } = services;
  const { jobId, dryRun } = paramsOf(job, identityRevert);
  const reverted = await findJob(database, jobId);
  if (!reverted?.finishedAt)
    throw new JobFailure('job_not_finished', 'The job to revert runs again. Revert it once it has ended.');
  const changes = await RecordedChanges.open(database, reverted);
  if (!dryRun)
    await requireNoApproval(job.id, () => changes.count(({ before }) => before === null), services);
  const progress = new ProgressKeeper(job.id, null, services);
  const acceptance = acceptanceOf(reverted);
  const ownerOf = ({ before }: Pick<RecordedRow, 'before'>) => before;
  const decide = dryRun ? plannedRevert : revertOutcome;
  await writeRecorded({ job, progress, changes, acceptance, dryRun, ownerOf, decide }, services);
  const { restored = 0, skipped = 0, removed = 0 } = await sumSteps(database, job.id);
  return {
    state: 'completed',
    counts: { total: restored + skipped, restored, skipped, ...(dryRun ? { removed } : {}) },
    progress: progress.current,
    keptS: JOB_KEPT_S,
  };
}
