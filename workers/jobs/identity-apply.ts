import { planOutcome, type RecordedRow } from '../../db/identities/chunk-outcome.js';
import type { IdentityChange } from '../../db/identities/import-changes.js';
import { acceptanceOf } from '../../db/jobs/accepted-uploads.js';
import { type Counts, hasSteps, sumSteps } from '../../db/jobs/job-steps.js';
import { findJob, type Job, type JobErrorDetail } from '../../db/jobs/jobs.js';
import { RecordedChanges, readRecorded, writeRecorded } from '../identities/recorded-changes.js';
import { JOB_KEPT_S, paramsOf } from '../queues/contracts/contract.js';
import { identityApply } from '../queues/contracts/identity-apply.js';
import { JobFailure, MAX_ERRORS_KEPT } from '../run/errors.js';
import type { JobResult } from '../run/handler.js';
import { ProgressKeeper } from '../run/progress.js';
import type { WorkerServices } from '../run/services.js';
import { counted, wholeNumber } from '../text/quantities.js';

/** Changes that one transaction writes: so many hold their locks for a few seconds. */
const MAX_AT_ONCE = 100_000;

/**
 * Writes the changes that a dry run has recorded, except those of accounts that have changed since. With `onConflict=abort`, all of them are
 * written in one transaction, or none.
 */
export async function applyPlan(job: Job, services: WorkerServices): Promise<JobResult> {
  const { database } = services;
  const { jobId, isRevert, onConflict } = paramsOf(job, identityApply);
  const plan = await findJob(database, jobId);
  if (!plan) throw new JobFailure('changes_expired', 'The plan has expired. Start the dry run again.');
  const changes = await RecordedChanges.open(database, plan);
  const isAllOrNothing = onConflict === 'abort';
  if (isAllOrNothing && !(await hasSteps(database, job.id))) await requireFitting(changes);
  const progress = new ProgressKeeper(job.id, null, services);
  const acceptance = acceptanceOf(job);
  const ownerOf = ({ after }: Pick<RecordedRow, 'after'>) => after;
  const decide = planOutcome({ isRevert, isAllOrNothing });
  const run = { job, progress, changes, acceptance, dryRun: false, ownerOf, decide };
  await writeRecorded({ ...run, isOneStep: isAllOrNothing }, services);
  const written = await sumSteps(database, job.id);
  if (isAllOrNothing && written.conflicts) throw await planConflicts(job, written.conflicts, services);
  return {
    state: 'completed',
    counts: toCounts(written),
    progress: progress.current,
    keptS: JOB_KEPT_S,
  };
}

function toCounts({ created = 0, updated = 0, removed = 0, unchanged = 0, conflicts = 0 }: Counts) {
  const total = created + updated + removed + unchanged + conflicts;
  return { total, created, updated, removed, unchanged, conflicts };
}

/** @throws JobFailure `too_many_changes` if one transaction cannot write the plan */
async function requireFitting(changes: RecordedChanges): Promise<void> {
  const count = await changes.count(() => true);
  if (count <= MAX_AT_ONCE) return;
  throw new JobFailure(
    'too_many_changes',
    `The plan has ${counted(count, 'change')}, and onConflict=abort can write ${wholeNumber(MAX_AT_ONCE)} at once. Nothing was written. ` +
      'Apply it with onConflict=skip, or plan smaller files.',
  );
}

/** Returns the failure that names the first accounts with a conflict. */
async function planConflicts(job: Job, count: number, { database }: WorkerServices): Promise<JobFailure> {
  const errors: JobErrorDetail[] = [];
  for await (const conflict of readRecorded(database, job.id, 'conflicts')) {
    errors.push(toDetail(conflict, paramsOf(job, identityApply).format));
    if (errors.length === MAX_ERRORS_KEPT) break;
  }
  const changed = `${counted(count, 'account')} of the plan ${count === 1 ? 'has' : 'have'} changed since the dry run.`;
  const next = 'Nothing was written. Start the dry run again, or apply the plan with onConflict=skip.';
  return new JobFailure('plan_conflicts', `${changed} ${next}`, errors, { errorCount: count });
}

function toDetail(
  { integrationId, identity, before, after, place, owner = null }: IdentityChange,
  format: 'csv' | 'json',
): JobErrorDetail {
  const at = place === null ? {} : format === 'json' ? { index: place } : { line: place };
  const name = (email: string | null) => email ?? 'no owner';
  const present =
    owner === before ? 'a later upload has asserted this owner since' : `it has ${name(owner)} now`;
  const message = `${identity} of account system ${integrationId} was to change from ${name(before)} to ${name(after)}, but ${present}`;
  return { ...at, field: 'identity', code: 'conflict', message };
}
