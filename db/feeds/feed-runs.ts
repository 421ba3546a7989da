import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { sqlNow } from '../client/now.js';

/**
 * `running` becomes one of the others. `applied`: what the plan had to change is written. `unchanged`: the file is the one of the last run.
 * `held`: a guard tripped, and the plan waits for somebody. `planned`: it was to plan only.
 */
export const RUN_STATES = [
  'running',
  'applied',
  'unchanged',
  'held',
  'planned',
  'failed',
  'canceled',
] as const;
export type RunState = (typeof RUN_STATES)[number];

/** The file that a run has read. */
export interface RunFile {
  name: string;
  bytes: number;
  /** SHA-256, in hex. */
  digest: string;
  version: string | null;
  /** When the source says that it was changed. */
  modifiedAt: string | null;
  /** The names of its columns, in order. */
  columns: string[];
  /** Whether its last line has a line break; null for a compressed file or a workbook. */
  endsLine: boolean | null;
  /** Its first rows: their cells, and what the recipe made of them. */
  sample: SampleRow[];
  /** The settings of the feed with which it was read. Runs of an earlier release do not say. */
  revision?: number;
}

export interface SampleRow {
  line: number;
  row: Record<string, string>;
  identity: { email: string; integrationId: number; identity: string } | null;
  errors: { field: string | null; message: string }[];
}

/** What guards judge. */
export interface RunFacts {
  rows: number;
  /** Of the last run that was applied; null: there is none. */
  rowsBefore: number | null;
  created: number;
  updated: number;
  removed: number;
  unchanged: number;
  /** Invalid rows, which are left out. */
  rejected: number;
  /** Since the file was changed, in hours; null: the source does not say. */
  ageHours: number | null;
  /** The columns of this file and of that of the last run that was applied. */
  columns: string[];
  columnsBefore: string[] | null;
  /** Whether the last line of both has a line break; null if it is not known. */
  endsLine: boolean | null;
  endsLineBefore: boolean | null;
  /** Accounts that the plan would change, and had another owner when it was applied. */
  conflicts?: number;
}

/** A guard that did not let a run pass. */
export interface TrippedGuard {
  guard: string;
  message: string;
}

/** A run of a feed. Its id is that of its job. */
export interface FeedRun {
  jobId: string;
  feedId: string;
  startedAt: Date;
  endedAt: Date | null;
  startedBy: 'schedule' | 'request';
  isDryRun: boolean;
  state: RunState;
  file: RunFile | null;
  /** The dry run that has its plan, and the job that applies it. */
  planId: string | null;
  applyId: string | null;
  facts: RunFacts | null;
  tripped: TrippedGuard[];
  error: { code: string; message: string } | null;
}

/** Records a run, in the transaction that records its job. */
export async function insertRun(
  transaction: Database,
  { jobId, feedId, startedBy, isDryRun }: Pick<FeedRun, 'jobId' | 'feedId' | 'startedBy' | 'isDryRun'>,
): Promise<void> {
  await transaction('feed_runs').insert({
    job_id: jobId,
    feed_id: feedId,
    started_at: sqlNow(transaction),
    started_by: startedBy,
    is_dry_run: isDryRun ? 1 : 0,
    state: 'running',
  });
}

export async function findRun(database: Database, jobId: string): Promise<FeedRun | null> {
  const row = await database('feed_runs').where({ job_id: jobId }).first();
  return row ? toRun(row) : null;
}

/** Returns the run of a feed that has not ended, or null. */
export async function openRun(database: Database, feedId: string): Promise<FeedRun | null> {
  const row = await database('feed_runs').where({ feed_id: feedId, state: 'running' }).first();
  return row ? toRun(row) : null;
}

type Place = [startedAt: Date, jobId: string];

interface Page {
  limit: number;
  after?: Place | undefined;
  /** Only these states; undefined: all. */
  states?: readonly RunState[] | undefined;
}

/** Returns the runs of a feed, newest first. */
export async function listRuns(
  database: Database,
  feedId: string,
  { limit, after, states }: Page,
): Promise<FeedRun[]> {
  const query = database('feed_runs').where({ feed_id: feedId }).limit(limit);
  if (states) query.whereIn('state', states);
  const columns = ['started_at', 'job_id'];
  return (await orderByKeyset(query, { columns, order: 'desc', after })).map(toRun);
}

/**
 * Records what a run has done so far, in the transaction that records the job that goes on with it. Returns false if the run has ended, or another
 * worker has taken this step: one that was frozen meanwhile must not take it again.
 */
export async function noteStep(
  transaction: Database,
  jobId: string,
  step: { file: RunFile; planId: string } | { facts: RunFacts; applyId: string },
): Promise<boolean> {
  const [column, values] =
    'planId' in step
      ? (['plan_id', { file: JSON.stringify(step.file), plan_id: step.planId }] as const)
      : (['apply_id', { facts: JSON.stringify(step.facts), apply_id: step.applyId }] as const);
  const run = transaction('feed_runs').where({ job_id: jobId, state: 'running' }).whereNull(column);
  return (await run.update(values)) > 0;
}

export interface RunEnd {
  state: Exclude<RunState, 'running'>;
  facts?: RunFacts | null;
  tripped?: readonly TrippedGuard[];
  error?: FeedRun['error'];
}

/** Ends a run. Returns false if it has ended already. */
export async function endRun(
  transaction: Database,
  jobId: string,
  { state, facts, tripped = [], error = null }: RunEnd,
): Promise<boolean> {
  const ended = await transaction('feed_runs')
    .where({ job_id: jobId, state: 'running' })
    .update({
      state,
      ended_at: sqlNow(transaction),
      ...(facts ? { facts: JSON.stringify(facts) } : {}),
      tripped: tripped.length === 0 ? null : JSON.stringify(tripped),
      error: error && JSON.stringify(error),
    });
  return ended > 0;
}

/** Returns the runs whose jobs have ended without ending them: they were canceled, or failed for another reason. */
export async function abandonedRuns(
  database: Database,
  limit: number,
): Promise<{ run: FeedRun; jobState: string | null }[]> {
  const rows = await database('feed_runs')
    .leftJoin('jobs', 'jobs.id', 'feed_runs.job_id')
    .where('feed_runs.state', 'running')
    .where((ended) => ended.whereNull('jobs.id').orWhereNotNull('jobs.finished_at'))
    .limit(limit)
    .select('feed_runs.*', 'jobs.state as job_state');
  return rows.map((row) => ({ run: toRun(row), jobState: row.job_state ?? null }));
}

/** Deletes the oldest runs that started before `before`. Returns their number. */
export const deleteRunsBefore = (database: Database, before: Date, limit: number): Promise<number> =>
  database('feed_runs')
    .where('started_at', '<', before)
    .whereNot('state', 'running')
    .orderBy('started_at')
    .limit(limit)
    .delete();

const parsed = (text: string | null) => (text === null ? null : JSON.parse(text));

/** Reads a row of the table. */
export const toRun = (row: Tables['feed_runs']): FeedRun => ({
  jobId: row.job_id,
  feedId: row.feed_id,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  startedBy: row.started_by,
  isDryRun: row.is_dry_run === 1,
  state: row.state,
  file: parsed(row.file),
  planId: row.plan_id,
  applyId: row.apply_id,
  facts: parsed(row.facts),
  tripped: parsed(row.tripped) ?? [],
  error: parsed(row.error),
});
