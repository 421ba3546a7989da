import { sumLedger } from '../../db/identities/import-chunks.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { changesExpired, revertChanges } from '../identities/revert.js';
import { revertParams } from '../queues/contracts/identity-revert.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { Services } from '../run/services.js';

const RESULT_KEPT_S = 7 * 24 * 60 * 60;

/**
 * Takes back what a job changed: each account that no later upload has asserted gets the owner that it had before. The job
 * can be interrupted at any point; the ledger records which chunks are reverted.
 */
export async function revertIdentities(job: Job, services: Services): Promise<JobResult> {
  const { database, closing } = services;
  const { jobId, dryRun } = revertParams.parse(job.params);
  const reverted = await retryWhileDatabaseUnavailable(closing, () => findJob(database, jobId));
  if (!reverted?.finishedAt)
    throw new JobFailure('job_not_finished', 'The job to revert runs again. Revert it once it has ended.');
  if (reverted.changesBytes === null) throw changesExpired();
  const progress = new ProgressKeeper(job.id, null, services);
  await revertChanges({ job, reverted, dryRun, progress }, services);
  const { restored, skipped } = await retryWhileDatabaseUnavailable(closing, () =>
    sumLedger(database, job.id),
  );
  return {
    state: 'completed',
    counts: { total: restored + skipped, restored, skipped },
    progress: progress.current,
    keptS: RESULT_KEPT_S,
  };
}
