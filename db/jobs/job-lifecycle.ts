import type { Database } from '../client/connect.js';
import { sqlInSeconds, sqlNow } from '../client/now.js';
import {
  findJob,
  type Job,
  type JobError,
  type JobProgress,
  type JobState,
  type JobWarning,
  type UploadColumns,
} from './jobs.js';

/*
 * The changes to a job's row from its start to its end. Each applies only in the states that allow it. Times are those of the database, because its
 * upkeep removes what they say has expired.
 */

const OPEN_STATES = ['queued', 'running'] as const satisfies readonly JobState[];

const AT_LEAST =
  "JSON_SET(params, '$.version', GREATEST(?, CAST(JSON_EXTRACT(params, '$.version') AS UNSIGNED)))";

/**
 * Marks a job as running, and counts the start. Returns null if the job has already ended.
 * @param version the version that its params get at least, because earlier releases cannot continue it; undefined if they can
 */
export async function startJob(database: Database, id: string, version?: number): Promise<Job | null> {
  const started = await database('jobs')
    .where({ id })
    .whereIn('state', OPEN_STATES)
    .update({
      state: 'running',
      started_at: database.raw('COALESCE(started_at, UTC_TIMESTAMP(3))'),
      attempts: database.raw('attempts + 1'),
      starts_without_progress: database.raw('starts_without_progress + 1'),
      ...(version ? { params: database.raw(AT_LEAST, [version]) } : {}),
    });
  return started === 0 ? null : findJob(database, id);
}

/** Locks a job for a transaction, and returns its state; null if there is no such job. */
export async function lockJob(
  transaction: Database,
  id: string,
): Promise<Pick<Job, 'state' | 'finishedAt'> | null> {
  const row = await transaction('jobs').where({ id }).forUpdate().first('state', 'finished_at');
  return row ? { state: row.state, finishedAt: row.finished_at } : null;
}

/** Uncounts the start of a job that its worker hands back because it shuts down. */
export async function takeBackStart(database: Database, id: string): Promise<void> {
  await database('jobs')
    .where({ id, state: 'running' })
    .where('starts_without_progress', '>', 0)
    .decrement('starts_without_progress');
}

/** Takes back the start of a job that has done nothing, because an earlier one comes first. */
export async function undoStart(database: Database, id: string): Promise<void> {
  await database('jobs')
    .where({ id, state: 'running' })
    .update({
      state: 'queued',
      started_at: null,
      attempts: database.raw('GREATEST(attempts, 1) - 1'),
      starts_without_progress: database.raw('GREATEST(starts_without_progress, 1) - 1'),
    });
}

/** Stores how a job is to be executed, once. Returns the stored plan, which may be that of an earlier worker. */
export async function pinPlan<Plan>(database: Database, id: string, plan: Plan): Promise<Plan> {
  await database('jobs')
    .where({ id })
    .whereNull('plan')
    .update({ plan: JSON.stringify(plan) });
  return pinnedPlan<Plan>(database, id);
}

/** Returns how a job is executed, as it was stored at its first start; null before that. */
export async function pinnedPlan<Plan>(database: Database, id: string): Promise<Plan> {
  const row = await database('jobs').where({ id }).first('plan');
  return JSON.parse(row?.plan ?? 'null');
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

/** Saves a job's progress. Returns whether its cancellation was requested. */
export async function saveProgress(
  database: Database,
  id: string,
  progress: JobProgress,
  hasAdvanced: boolean,
): Promise<{ cancelRequested: boolean }> {
  await database('jobs')
    .where({ id, state: 'running' })
    .update({ progress: JSON.stringify(progress), ...(hasAdvanced ? { starts_without_progress: 0 } : {}) });
  return { cancelRequested: await isCancelRequested(database, id) };
}

/** Returns whether a job was canceled, or its cancellation was requested. */
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
  /** What the recorded changes take, besides `resultBytes`. */
  changesBytes?: number | null;
  progress?: JobProgress;
  /** For how many seconds the result, the rejected rows and the changes are kept. Default: there are none. */
  keptS?: number;
}

/**
 * Ends a job. Returns the state that it ended in, or null if it had already ended: the first outcome stands. A job whose
 * cancellation was requested ends `canceled` even if all its work is done, because the response to the request said so. A
 * failure stays `failed`, because it says more. Only a request cancels a job: a worker that was frozen while its job ended
 * and was retried must not cancel the retry.
 */
export async function finishJob(
  database: Database,
  id: string,
  outcome: JobOutcome,
): Promise<JobOutcome['state'] | null> {
  const open = () => database('jobs').where({ id }).whereIn('state', OPEN_STATES);
  if (outcome.state === 'failed')
    return (await open().update(endOf(database, outcome))) > 0 ? 'failed' : null;
  if (outcome.state !== 'canceled') {
    const changed = await open().whereNull('cancel_requested_at').update(endOf(database, outcome));
    if (changed > 0) return outcome.state;
  }
  // Keeps the counts and the rejected rows of the work done, but not the result.
  const { resultKey: _, resultBytes: __, ...kept } = outcome;
  const { rejectedBytes } = outcome;
  const canceled = {
    ...kept,
    state: 'canceled' as const,
    ...(rejectedBytes ? { resultBytes: rejectedBytes } : {}),
  };
  const requested = open().whereNotNull('cancel_requested_at');
  return (await requested.update(endOf(database, canceled))) > 0 ? 'canceled' : null;
}

const endOf = (database: Database, outcome: JobOutcome) => ({
  state: outcome.state,
  finished_at: sqlNow(database),
  counts: json(outcome.counts),
  warnings: json(outcome.warnings),
  error: json(outcome.error),
  ...(outcome.progress ? { progress: json(outcome.progress) } : {}),
  ...(outcome.resultKey ? { result_key: outcome.resultKey } : {}),
  ...(outcome.rejectedKey ? { rejected_key: outcome.rejectedKey } : {}),
  changes_bytes: outcome.changesBytes ?? null,
  result_bytes: (outcome.resultBytes ?? 0) + (outcome.changesBytes ?? 0) || null,
  expires_at: outcome.keptS === undefined ? null : sqlInSeconds(database, outcome.keptS),
});

/**
 * Withdraws a job that could not be added to its queue. Returns false if a worker has started it or it has ended: then its
 * upload must be kept.
 */
export async function withdrawJob(database: Database, id: string): Promise<boolean> {
  const changed = await database('jobs')
    .where({ id, state: 'queued' })
    .update({ state: 'canceled', finished_at: sqlNow(database), source_key: null, source_bytes: null });
  return changed > 0;
}

/**
 * Requests a job's cancellation. A queued job ends at once, a running one at its next safe point. One statement decides
 * which, so that a job which starts at the same moment is not missed. Assignments are executed from left to right.
 */
export async function requestCancel(database: Database, id: string): Promise<void> {
  await database.raw(
    `UPDATE jobs SET cancel_requested_at = COALESCE(cancel_requested_at, UTC_TIMESTAMP(3)),
       finished_at = IF(state = 'queued', UTC_TIMESTAMP(3), finished_at), state = IF(state = 'queued', 'canceled', state)
     WHERE id = ? AND state IN ('queued', 'running')`,
    [id],
  );
}

/**
 * Sets a failed job back to `queued`, and keeps its ledger. Returns false if the job is no longer failed, or upkeep has
 * removed its upload.
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
