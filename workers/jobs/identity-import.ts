import { type Counts, sumSteps } from '../../db/jobs/job-steps.js';
import type { Job } from '../../db/jobs/jobs.js';
import { Mirror } from '../identities/mirror.js';
import { planImport } from '../identities/plan.js';
import { warnOfRepeatedKeys } from '../identities/repeated-keys.js';
import { skippedRemovals } from '../identities/skipped-removals.js';
import { Spool } from '../identities/spool/spool.js';
import { spoolFolder } from '../identities/spool/spool-folders.js';
import type { ValidationResult } from '../identities/spool/spool-manifest.js';
import { placeIn, validateUpload } from '../identities/validate.js';
import { writeRows } from '../identities/write.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { type ImportParams, identityImport } from '../queues/contracts/identity-import.js';
import { JobFailure } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';

/**
 * Imports an upload. The validation pass reads all of it, so nothing is written of a file that is rejected. The write pass
 * writes the rows that the validation pass has sorted. The import can stop anywhere and start over: the spool records how
 * far the validation pass has come, if it is on this machine, and the ledger records which chunks are written.
 */
export async function importIdentities(job: Job, services: WorkerServices): Promise<JobResult> {
  const params = paramsOf(job, identityImport);
  await requireUpload(job, services);
  const plan = await planImport(job, services);
  const progress = new ProgressKeeper(job.id, params.bytes, services);
  progress.current.keptBytes = job.progress?.keptBytes ?? 0;
  const origin = JSON.stringify({ plan: plan.version, params });
  const { runWriter } = services;
  const spool = await Spool.open({ folder: spoolFolder(job.id, services), origin, runWriter });
  try {
    const { rejectedKey, result } = await validateUpload(job, params, { spool, progress }, services);
    progress.current.bytesRead = params.bytes;
    progress.current.rowsTotal = result.rows - result.rejectedRows;
    const { dryRun } = params;
    const skipped = skippedRemovals(params.mirror?.integrationIds, result);
    const mirrored = skipped ? undefined : params.mirror;
    const run = { job, progress, chunkRows: plan.chunkRows, dryRun };
    const mirror = mirrored && new Mirror({ ...run, spool, ...mirrored }, services);
    await mirror?.checkLimit();
    const repeated = await writeRows(spool, run, services);
    await mirror?.removeUnnamed();
    const written = await sumSteps(services.database, job.id);
    return {
      state: result.rejectedRows > 0 ? 'completed_with_errors' : 'completed',
      counts: toCounts(params, result, written),
      warnings: [
        ...result.warnings,
        ...warnOfRepeatedKeys(repeated, placeIn(params)),
        ...(skipped ? [skipped] : []),
      ],
      progress: progress.current,
      ...(rejectedKey ? { rejectedKey } : {}),
      keptS: JOB_KEPT_S,
    };
  } finally {
    await spool.close();
  }
}

/** A job whose request was aborted may have a row and no file. A retry would not find the file either. */
async function requireUpload({ sourceKey }: Job, { files }: WorkerServices): Promise<void> {
  if (sourceKey && (await files.stat(sourceKey))) return;
  throw new JobFailure('source_expired', 'The uploaded file has been deleted. Upload it again.');
}

function toCounts(
  { action, mirror }: ImportParams,
  { rows: total, rejectedRows: rejected }: ValidationResult,
  { created = 0, updated = 0, unchanged = 0, superseded = 0, removed = 0, notFound = 0 }: Counts,
): Record<string, number> {
  if (action === 'remove') return { total, removed, notFound, superseded, rejected };
  return { total, created, updated, unchanged, ...(mirror ? { removed } : {}), superseded, rejected };
}
