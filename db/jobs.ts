import type { Database } from './connect.js';

/** A job's life: queued → running → one of the last four, and from `failed` back to `queued` by a retry. */
export const JOB_STATES = [
  'queued',
  'running',
  'completed',
  'completed_with_errors',
  'failed',
  'canceled',
] as const;
export type JobState = (typeof JOB_STATES)[number];
const OPEN_STATES = ['queued', 'running'] as const satisfies readonly JobState[];

export interface JobProgress {
  rowsRead: number;
  rowsTotal: number | null;
  bytesRead: number;
  bytesTotal: number | null;
  /** How far an upload was ever read for good: what no restart on the same machine has to read again. */
  keptBytes?: number;
}

export interface JobFault {
  line?: number;
  index?: number;
  field: string | null;
  code: string;
  message: string;
}

/** Why a job failed, in the words and shape of an HTTP error body. */
export interface JobError {
  code: string;
  message: string;
  errors: JobFault[];
  errorCount: number;
}

export interface JobWarning {
  code: string;
  message: string;
  count?: number;
}

export interface Job {
  id: string;
  type: string;
  queue: string;
  state: JobState;
  apiKeyId: string;
  requestId: string;
  /** Place in the order of accepted uploads, in µs since 1970 or a little above; null for what asserts nothing. */
  acceptance: number | null;
  params: unknown;
  plan: unknown;
  sourceKey: string | null;
  resultKey: string | null;
  rejectedKey: string | null;
  progress: JobProgress | null;
  counts: Record<string, number> | null;
  warnings: JobWarning[];
  error: JobError | null;
  attempts: number;
  startsWithoutProgress: number;
  cancelRequestedAt: Date | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  expiresAt: Date | null;
}

export interface NewJob {
  id: string;
  type: string;
  /** The BullMQ queue that carries it. */
  queue: string;
  apiKeyId: string;
  requestId: string;
  acceptance?: number;
  params: unknown;
  sourceKey?: string;
}

export async function insertJob(database: Database, job: NewJob): Promise<void> {
  await database('jobs').insert({
    id: job.id,
    type: job.type,
    queue: job.queue,
    state: 'queued',
    api_key_id: job.apiKeyId,
    request_id: job.requestId,
    acceptance: job.acceptance ?? null,
    params: JSON.stringify(job.params),
    source_key: job.sourceKey ?? null,
    created_at: new Date(),
  });
}

/** The jobs with these ids, in no order; ids that are unknown are left out. */
export async function findJobs(database: Database, ids: readonly string[]): Promise<Job[]> {
  if (ids.length === 0) return [];
  const rows = await database('jobs').whereIn('id', ids);
  return rows.map(toJob);
}

export async function findJob(database: Database, id: string): Promise<Job | null> {
  const [job] = await findJobs(database, [id]);
  return job ?? null;
}

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
export async function fixPlan<Plan>(database: Database, id: string, plan: Plan): Promise<Plan> {
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
export async function movePlan(database: Database, id: string, from: unknown, to: unknown): Promise<boolean> {
  const moved = await database('jobs')
    .where({ id, state: 'running', plan: JSON.stringify(from) })
    .update({ plan: JSON.stringify(to), starts_without_progress: 0 });
  return moved > 0;
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
  const row = await database('jobs').where({ id }).first('cancel_requested_at', 'state');
  return { cancelRequested: row?.cancel_requested_at != null || row?.state === 'canceled' };
}

export interface JobOutcome {
  state: Exclude<JobState, 'queued' | 'running'>;
  counts?: Record<string, number>;
  warnings?: JobWarning[];
  error?: JobError;
  resultKey?: string;
  rejectedKey?: string;
  progress?: JobProgress;
  expiresAt?: Date;
}

/** Ends a job. False when it had already ended, however it did: the first outcome stands. */
export async function finishJob(database: Database, id: string, outcome: JobOutcome): Promise<boolean> {
  const changed = await database('jobs')
    .where({ id })
    .whereIn('state', OPEN_STATES)
    .update({
      state: outcome.state,
      finished_at: new Date(),
      counts: json(outcome.counts),
      warnings: json(outcome.warnings),
      error: json(outcome.error),
      ...(outcome.progress ? { progress: json(outcome.progress) } : {}),
      ...(outcome.resultKey ? { result_key: outcome.resultKey } : {}),
      ...(outcome.rejectedKey ? { rejected_key: outcome.rejectedKey } : {}),
      expires_at: outcome.expiresAt ?? null,
    });
  return changed > 0;
}

/** Ends a job that no worker has taken yet. False when one has: then it is under way, or done. */
export async function dropQueuedJob(database: Database, id: string): Promise<boolean> {
  const changed = await database('jobs')
    .where({ id, state: 'queued' })
    .update({ state: 'canceled', finished_at: new Date() });
  return changed > 0;
}

/** Asks for a job to stop. One that nobody has taken yet ends at once, a running one at its next safe point. */
export async function requestCancel(database: Database, id: string): Promise<void> {
  if (await dropQueuedJob(database, id)) return;
  const request = { cancel_requested_at: new Date() };
  await database('jobs').where({ id, state: 'running' }).whereNull('cancel_requested_at').update(request);
}

/** Puts a failed job back to its start; what its ledger holds stays. False when it is not failed (any more). */
export async function reopenJob(database: Database, id: string): Promise<boolean> {
  const changed = await database('jobs').where({ id, state: 'failed' }).update({
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

/** The highest acceptance number ever given out that is on record; 0 when there is none. */
export async function greatestAcceptance(database: Database): Promise<number> {
  const row = await database('jobs').max({ greatest: 'acceptance' }).first();
  return Number(row?.greatest ?? 0);
}

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));

// biome-ignore lint/suspicious/noExplicitAny: a row as the driver hands it over; this is where it gets its types.
function toJob(row: any): Job {
  return {
    id: row.id,
    type: row.type,
    queue: row.queue,
    state: row.state,
    apiKeyId: row.api_key_id,
    requestId: row.request_id,
    acceptance: row.acceptance === null ? null : Number(row.acceptance),
    params: parsed(row.params),
    plan: parsed(row.plan),
    sourceKey: row.source_key,
    resultKey: row.result_key,
    rejectedKey: row.rejected_key,
    progress: parsed(row.progress),
    counts: parsed(row.counts),
    warnings: parsed(row.warnings) ?? [],
    error: parsed(row.error),
    attempts: row.attempts,
    startsWithoutProgress: row.starts_without_progress,
    cancelRequestedAt: row.cancel_requested_at,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  };
}
