import { z } from 'zod';
import { pinPlan } from '../../db/jobs/job-lifecycle.js';
import { type Counts, sumSteps } from '../../db/jobs/job-steps.js';
import type { Job, JobWarning } from '../../db/jobs/jobs.js';
import { requireNoApproval } from '../identities/approval.js';
import { Mirror } from '../identities/mirror.js';
import { warnOfRepeatedKeys } from '../identities/repeated-keys.js';
import { Spool } from '../identities/spool/spool.js';
import { spoolFolder } from '../identities/spool/spool-folders.js';
import type { ValidationResult } from '../identities/spool/spool-manifest.js';
import { placeIn, validateUpload } from '../identities/validate.js';
import { writeRows } from '../identities/write.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { type ImportParams, identityImport } from '../queues/contracts/identity-import.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import { requireUpload } from '../run/require-upload.js';
import { resumeMismatch } from '../run/run-steps.js';
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
  const { runWriter, settings } = services;
  const { importRunRows: runRows } = settings;
  const spool = await Spool.open({ folder: spoolFolder(job.id, services), origin, runRows, runWriter });
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
    if (params.action === 'remove' && !dryRun)
      await requireNoApproval(job.id, () => result.rows - result.rejectedRows, services);
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

function toCounts(
  { action, mirror }: ImportParams,
  { rows: total, rejectedRows: rejected }: ValidationResult,
  { created = 0, updated = 0, unchanged = 0, superseded = 0, removed = 0, notFound = 0 }: Counts,
): Record<string, number> {
  if (action === 'remove') return { total, removed, notFound, superseded, rejected };
  return { total, created, updated, unchanged, ...(mirror ? { removed } : {}), superseded, rejected };
}

/**
 * Changes whenever the reader, the record rules, the order of the rows or the cutting of chunks changes. A job that started
 * under another version cannot continue, because its ledger may describe other chunks.
 */
const PLAN_VERSION = 3;

const planSchema = z.object({ version: z.number(), chunkRows: z.number() });
type Plan = z.infer<typeof planSchema>;

/** Returns how an import is cut into chunks. The plan is fixed at the first start, so every restart cuts the same chunks. */
async function planImport(job: Job, { settings, database }: WorkerServices): Promise<Plan> {
  const wanted: Plan = { version: PLAN_VERSION, chunkRows: settings.importChunkRows };
  const plan = planSchema.parse(await pinPlan(database, job.id, wanted));
  if (plan.version !== PLAN_VERSION) throw resumeMismatch('another release started it');
  return plan;
}

const MAX_IDS_SHOWN = 10;

/**
 * Returns why a mirror must not remove any account, as the warning `removals_skipped`; null if it may, and for other uploads.
 * Nobody knows which accounts a file leaves out if a rejected row may name an account of a mirrored account system. If rows of other
 * account systems were rejected and a mirrored account system has no valid row, `integrationIds` is probably wrong. A file of valid
 * rows that has none for a mirrored account system says that this account system is empty.
 * @param integrationIds the mirrored account systems; undefined for other uploads
 */
function skippedRemovals(
  integrationIds: readonly number[] | undefined,
  result: ValidationResult,
): JobWarning | null {
  if (!integrationIds) return null;
  const { rejectedRows, foreignRows, namedAccountSystems } = result;
  if (rejectedRows > foreignRows) {
    const reason = 'rejected rows may name accounts. Fix these rows and upload the complete file again';
    return skipped(reason, rejectedRows - foreignRows);
  }
  const named = new Set(namedAccountSystems);
  const unnamed = integrationIds.filter((id) => !named.has(id));
  if (foreignRows === 0 || unnamed.length === 0) return null;
  const ids = `${unnamed.slice(0, MAX_IDS_SHOWN).join(', ')}${unnamed.length > MAX_IDS_SHOWN ? ', …' : ''}`;
  const of = unnamed.length === 1 ? 'the mirrored account system' : 'the mirrored account systems';
  const reason = `rows of other account systems were rejected, and no valid row is of ${of} ${ids}. Check integrationIds`;
  return skipped(reason, foreignRows);
}

const skipped = (reason: string, count: number): JobWarning => ({
  code: 'removals_skipped',
  message: `no account was removed, because ${reason}`,
  count,
});
