import type { Database } from '../client/connect.js';
import {
  findJob,
  type Job,
  type JobError,
  type JobProgress,
  type JobState,
  type JobWarning,
  type UploadColumns,
} from './jobs.js';

/** What happens to a job from its start to its end; each change holds only in the states that allow it. */

const OPEN_STATES = ['queued', 'running'] as const satisfies readonly JobState[];

/** Takes a job up (again): counts the attempt. Null when it is already finished, so there is nothing to do. */
export async function startJob(database: Database, id: string): Promise<Job | null> {
  const started = await database('jobs')
    .where({ id })
    .whereIn('state', OPEN_STATES)
    .update({
      state: 'running',
      started_at: database.raw('COALESCE(started_at, ?)', [new Date()]),
      attempts: database.raw('attempts + 1'),
      starts_without_progress: database.raw('starts_without_progress + 1'),
    });
  return started === 0 ? null : findJob(database, id);
}

/** Takes back the start of a job that its worker hands on because it is to end: that says nothing of the job. */
export async function takeBackStart(database: Database, id: string): Promise<void> {
  await database('jobs')
    .where({ id, state: 'running' })
    .where('starts_without_progress', '>', 0)
    .decrement('starts_without_progress');
}

/** Fixes how a job is carried out, once: whoever comes later works by the plan of who came first. */
export async function pinPlan<Plan>(database: Database, id: string, plan: Plan): Promise<Plan> {
  await database('jobs')
    .where({ id })
    .whereNull('plan')
    .update({ plan: JSON.stringify(plan) });
  const row = await database('jobs').where({ id }).first('plan');
  return JSON.parse(row.plan) as Plan;
}

/**
 * Puts a job's plan to its next state, in the transaction of the work that got it there. False when the job has ended, or
 * somebody else has carried it on meanwhile: then that work must not be done.
 */
export async function advancePlan(
  database: Database,
  id: string,
  from: unknown,
  to: unknown,
): Promise<boolean> {
  const moved = await database('jobs')
    .where({ id, state: 'running', plan: JSON.stringify(from) })
    .update({ plan: JSON.stringify(to), starts_without_progress: 0 });
  return moved > 0;
}

/** Returns the plan of a running job; null if the job is not running. */
export async function findPlan(database: Database, id: string): Promise<unknown> {
  const row = await database('jobs').where({ id, state: 'running' }).first('plan');
  return row?.plan ? JSON.parse(row.plan) : null;
}

/** Records which columns of its upload a running job reads. */
export async function saveUploadColumns(
  database: Database,
  id: string,
  columns: UploadColumns,
): Promise<void> {
  await database('jobs')
    .where({ id, state: 'running' })
    .update({ upload_columns: JSON.stringify(columns) });
}

/** Notes how far a job is; answers whether somebody has asked to cancel it. */
export async function saveProgress(
  database: Database,
  id: string,
  progress: JobProgress,
  movedOn: boolean,
): Promise<{ cancelRequested: boolean }> {
  await database('jobs')
    .where({ id, state: 'running' })
    .update({ progress: JSON.stringify(progress), ...(movedOn ? { starts_without_progress: 0 } : {}) });
  return { cancelRequested: await isCancelRequested(database, id) };
}

/** Returns whether somebody has asked to cancel a job, or it has been canceled already. */
export async function isCancelRequested(database: Database, id: string): Promise<boolean> {
  const row = await database('jobs').where({ id }).first('cancel_requested_at', 'state');
  return row?.cancel_requested_at != null || row?.state === 'canceled';
}

export interface JobOutcome {
  state: Exclude<JobState, 'queued' | 'running'>;
  counts?: Record<string, number>;
  warnings?: JobWarning[];
  error?: JobError;
  resultKey?: string;
  rejectedKey?: string;
  /** Size of the files under both keys together. */
  resultBytes?: number;
  /** The part of `resultBytes` that is the file under `rejectedKey`. */
  rejectedBytes?: number;
  progress?: JobProgress;
  expiresAt?: Date;
}

/**
 * Ends a job and returns the state that it ended in; null if it had already ended, because the first outcome stands. A job
 * whose cancel was requested ends `canceled` even if all its work is done: the request was told that the job would stop.
 * A failure stands, for it says more. Nothing but a request cancels a job: a worker that was away while its job ended and
 * was retried must not cancel that retry.
 */
export async function finishJob(
  database: Database,
  id: string,
  outcome: JobOutcome,
): Promise<JobOutcome['state'] | null> {
  const open = () => database('jobs').where({ id }).whereIn('state', OPEN_STATES);
  if (outcome.state === 'failed') return (await open().update(endOf(outcome))) > 0 ? 'failed' : null;
  if (outcome.state !== 'canceled') {
    const changed = await open().whereNull('cancel_requested_at').update(endOf(outcome));
    if (changed > 0) return outcome.state;
  }
  // What was done is done, and its counts and rejected rows say so; the result is not kept.
  const { resultKey: _, resultBytes: __, ...kept } = outcome;
  const { rejectedBytes } = outcome;
  const canceled = {
    ...kept,
    state: 'canceled' as const,
    ...(rejectedBytes ? { resultBytes: rejectedBytes } : {}),
  };
  const requested = open().whereNotNull('cancel_requested_at');
  return (await requested.update(endOf(canceled))) > 0 ? 'canceled' : null;
}

const endOf = (outcome: JobOutcome) => ({
  state: outcome.state,
  finished_at: new Date(),
  counts: json(outcome.counts),
  warnings: json(outcome.warnings),
  error: json(outcome.error),
  ...(outcome.progress ? { progress: json(outcome.progress) } : {}),
  ...(outcome.resultKey ? { result_key: outcome.resultKey } : {}),
  ...(outcome.rejectedKey ? { rejected_key: outcome.rejectedKey } : {}),
  result_bytes: outcome.resultBytes ?? null,
  expires_at: outcome.expiresAt ?? null,
});

/**
 * Withdraws a job that could not be put into its queue, and its upload with it. Returns false if a worker has taken it, or
 * it has ended: then its upload must stay.
 */
export async function withdrawJob(database: Database, id: string): Promise<boolean> {
  const changed = await database('jobs')
    .where({ id, state: 'queued' })
    .update({ state: 'canceled', finished_at: new Date(), source_key: null, source_bytes: null });
  return changed > 0;
}

/**
 * Asks a job to stop. A job that no worker has taken yet ends at once, a running one at its next safe point. One statement
 * decides which, so that a job which starts just now cannot slip through. Assignments are carried out from left to right.
 */
export async function requestCancel(database: Database, id: string): Promise<void> {
  const now = new Date();
  await database.raw(
    `UPDATE jobs SET cancel_requested_at = COALESCE(cancel_requested_at, ?),
       finished_at = IF(state = 'queued', ?, finished_at), state = IF(state = 'queued', 'canceled', state)
     WHERE id = ? AND state IN ('queued', 'running')`,
    [now, now, id],
  );
}

/**
 * Puts a failed job back to its start; what its ledger holds stays. Returns false if it is no longer failed, or upkeep has
 * removed its upload meanwhile.
 */
export async function reopenJob(
  database: Database,
  { id, sourceKey }: Pick<Job, 'id' | 'sourceKey'>,
): Promise<boolean> {
  const changed = await database('jobs').where({ id, state: 'failed', source_key: sourceKey }).update({
    state: 'queued',
    error: null,
    cancel_requested_at: null,
    finished_at: null,
    expires_at: null,
    starts_without_progress: 0,
    progress: null,
  });
  return changed > 0;
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
