import type { Job } from '../../db/jobs/jobs.js';
import { alertRemap } from '../queues/contracts/alert-remap.js';
import { alertResolve } from '../queues/contracts/alert-resolve.js';
import {
  callbackOf,
  isDryRun,
  jobsNamedBy,
  paramsOf,
  type UploadLinkOfJob,
  uploadLinkOf,
} from '../queues/contracts/contract.js';
import { identityApply } from '../queues/contracts/identity-apply.js';
import { identityImport } from '../queues/contracts/identity-import.js';
import { identityRevert } from '../queues/contracts/identity-revert.js';
import { tableUpload } from '../queues/contracts/table-upload.js';
import { jobTypeOf } from '../queues/index.js';

/** Returns the JSON form of a job: what the API responds with, and what a destination is told when the job ends. */
export function presentJob(job: Job) {
  return {
    id: job.id,
    type: jobTypeOf(job),
    state: job.state,
    dryRun: isDryRun(job),
    ...others(job),
    fileName: job.fileName,
    ...linkOf(job),
    callback: callbackOf(job),
    progress: presentProgress(job),
    ...(job.uploadColumns ? { columns: job.uploadColumns } : {}),
    counts: job.counts,
    warnings: job.warnings,
    ...(job.error ? { error: job.error } : {}),
    links: jobLinks(job),
    createdAt: job.createdAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    expiresAt: job.expiresAt?.toISOString() ?? null,
    attempts: job.attempts,
  };
}

/** Returns what a job is about that is another job. Also a job of a newer release is shown. */
function others(job: Job): { revertOf?: string; applyOf?: string; acceptOf?: string } {
  const { jobId, planId, acceptOf, revertOf } = jobsNamedBy(job);
  if (job.type === identityRevert.name && jobId) return { revertOf: jobId };
  if (job.type === identityApply.name && jobId) return { applyOf: jobId };
  if (job.type === alertRemap.name && planId) return { applyOf: planId };
  if (job.type === alertResolve.name && revertOf) return { revertOf };
  if (job.type === identityImport.name && acceptOf) return { acceptOf };
  return {};
}

function linkOf(job: Job): { uploadLink?: UploadLinkOfJob } {
  const uploadLink = uploadLinkOf(job);
  return uploadLink ? { uploadLink } : {};
}

/** Returns whether the retention of a job's files has ended. */
export const isExpired = ({ expiresAt }: Job): boolean =>
  expiresAt !== null && expiresAt.getTime() <= Date.now();

/** Returns the paths of the job, of the files that can be downloaded now, and of the integrations that read a changed table. */
export function jobLinks(job: Job): Record<string, string> {
  const self = `/v2/jobs/${job.id}`;
  if (isExpired(job)) return { self };
  const table = changedTable(job);
  return {
    self,
    ...(job.resultKey ? { file: `${self}/file` } : {}),
    ...(job.rejectedKey ? { rejected: `${self}/rejected` } : {}),
    ...(job.changesBytes ? { changes: `${self}/changes` } : {}),
    ...(job.changesBytes && job.counts?.skipped ? { skipped: `${self}/skipped` } : {}),
    ...(job.changesBytes && job.type === identityApply.name && hasConflicts(job)
      ? { conflicts: `${self}/conflicts` }
      : {}),
    ...(table === null ? {} : { webhooks: `/v2/tables/${table}/webhooks` }),
  };
}

/** An apply that writes nothing because of them fails. */
const hasConflicts = ({ counts, error }: Job): boolean =>
  Boolean(counts?.conflicts) || error?.code === 'plan_conflicts';

/** Returns the lookup table whose active revision is another one since the job; null if there is none. */
function changedTable(job: Job): string | null {
  if (job.type !== tableUpload.name || !job.state.startsWith('completed') || isDryRun(job)) return null;
  const isUnchanged = job.warnings.some(({ code }) => code === 'already_active' || code === 'superseded');
  return isUnchanged ? null : paramsOf(job, tableUpload).table;
}

/** A job shows 100% only when it has completed. */
function presentProgress({ progress, finishedAt, state }: Job) {
  const { rowsRead = 0, rowsTotal = null, bytesRead = 0, bytesTotal = null } = progress ?? {};
  const done = finishedAt !== null && state.startsWith('completed');
  const share = rowsTotal ? rowsRead / rowsTotal : bytesTotal ? bytesRead / bytesTotal : null;
  const percent = done ? 100 : share === null ? null : Math.min(99, Math.floor(share * 100));
  return { rowsRead, rowsTotal, bytesRead, bytesTotal, percent };
}
