import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { type FeedRun, toRun } from './feed-runs.js';

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

/** Returns the first later run of the same feed that has read another file or may do so; null if there is none. */
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
