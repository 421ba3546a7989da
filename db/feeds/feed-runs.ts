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

/** Returns the newest run whose plan was applied, by the feed or by somebody; null if there is none. */
export async function lastApplied(database: Database, feedId: string): Promise<FeedRun | null> {
  const row = await database('feed_runs')
    .where({ feed_id: feedId })
    .where((any) =>
      any
        .where('state', 'applied')
        .orWhereExists((apply) =>
          apply
            .select(database.raw('1'))
            .from('applied_plans')
            .join('jobs', 'jobs.id', 'applied_plans.job_id')
            .whereRaw('applied_plans.plan_id = feed_runs.plan_id')
            .whereIn('jobs.state', ['completed', 'completed_with_errors']),
        ),
    )
    .whereNot('state', 'running')
    .orderBy([
      { column: 'started_at', order: 'desc' },
      { column: 'job_id', order: 'desc' },
    ])
    .first();
  return row ? toRun(row) : null;
}

/** Returns the run of a feed that has this plan; null if the plan is none of a feed. */
export async function findRunOfPlan(database: Database, planId: string): Promise<FeedRun | null> {
  const row = await database('feed_runs').where({ plan_id: planId }).first();
  return row ? toRun(row) : null;
}

/** Returns the newest later run of the same feed that has read another file or may do so; null if there is none. */
export async function laterRun(
  database: Database,
  { feedId, startedAt, jobId }: Pick<FeedRun, 'feedId' | 'startedAt' | 'jobId'>,
): Promise<FeedRun | null> {
  const query = database('feed_runs')
    .where({ feed_id: feedId, is_dry_run: 0 })
    .whereIn('state', ['running', 'applied', 'held']);
  const later = orderByKeyset(query, {
    columns: ['started_at', 'job_id'],
    order: 'asc',
    after: [startedAt, jobId],
  });
  const row = await later.first();
  return row ? toRun(row) : null;
}

/** Returns the job that has applied another plan of a feed since a time, or still does; null if there is none. */
export async function otherApply(
  database: Database,
  { feedId, planId, since }: { feedId: string; planId: string; since: Date },
): Promise<string | null> {
  const row = await database('applied_plans')
    .join('feed_runs', 'feed_runs.plan_id', 'applied_plans.plan_id')
    .join('jobs', 'jobs.id', 'applied_plans.job_id')
    .where('feed_runs.feed_id', feedId)
    .whereNot('applied_plans.plan_id', planId)
    .where((late) => late.whereNull('jobs.finished_at').orWhere('jobs.finished_at', '>=', since))
    .first('applied_plans.job_id');
  return row?.job_id ?? null;
}

/** Returns which of these plans are those of feeds, with the name of the feed; null if it was deleted. */
export async function feedsOfPlans(
  database: Database,
  planIds: readonly string[],
): Promise<Map<string, { id: string; name: string | null }>> {
  if (planIds.length === 0) return new Map();
  const rows = await database('feed_runs')
    .leftJoin('feeds', 'feeds.id', 'feed_runs.feed_id')
    .whereIn('plan_id', planIds)
    .select('feed_runs.plan_id', 'feed_runs.feed_id', 'feeds.name');
  return new Map(
    rows.flatMap((row) => (row.plan_id ? [[row.plan_id, { id: row.feed_id, name: row.name ?? null }]] : [])),
  );
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

const toRun = (row: Tables['feed_runs']): FeedRun => ({
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
