import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import { findJobs, type Job } from './jobs.js';

/** A job matches if it matches every given filter. It matches a list if it matches any of its values. */
export interface JobFilters {
  type?: string | readonly string[] | undefined;
  state?: string | readonly string[] | undefined;
  /** Only jobs that were created at that time or later. */
  from?: Date | undefined;
  /** Only jobs that were created before that time. */
  to?: Date | undefined;
  /** Only reverts of this job. */
  revertOf?: Pick<Job, 'id' | 'acceptance'> | undefined;
  /** Only jobs that apply the plan of this dry run. */
  applyOf?: string | undefined;
  /** Only jobs of this upload link. */
  uploadLink?: string | undefined;
  /** Only jobs of these types, and jobs that this API key created. */
  visible?: { types: readonly string[]; apiKeyId: string } | undefined;
}

/**
 * Returns a page of jobs, newest first. Ids are UUIDv7, so they sort by creation time.
 *
 * The jobs of visible types and those of the API key are read separately, each in the order of an index. With `OR`, MariaDB reads and
 * sorts all of them: 1,390 ms instead of 1 ms for a page of 300,000 jobs.
 */
export async function listJobs(
  database: Database,
  { visible, ...filters }: JobFilters,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<Job[]> {
  const after = before === undefined ? undefined : [before];
  const select = () => {
    const query = selectJobs(database, filters).select('id').limit(limit);
    return orderByKeyset(query, { columns: ['id'], order: 'desc', after });
  };
  const query = visible
    ? database
        .union(
          [select().whereIn('type', visible.types), select().where({ api_key_id: visible.apiKeyId })],
          true,
        )
        .orderBy('id', 'desc')
        .limit(limit)
    : select();
  const ids = (await query).map((row: Pick<Job, 'id'>) => row.id);
  const jobs = new Map((await findJobs(database, ids)).map((job) => [job.id, job]));
  return ids.flatMap((id: string) => jobs.get(id) ?? []);
}

/** Jobs with the same type and state, all of them created by an API key or none. */
export interface JobCount {
  type: string;
  state: string;
  isOwn: boolean;
  jobs: number;
  /** When the first of them was created. */
  oldest: Date;
}

/** So many jobs are read at most: 20,000 of 300,000 take the database 60 ms, or 200 ms from the disk. */
export const MAX_COUNTED_JOBS = 20_000;

/**
 * Counts the newest jobs by type, state and whether an API key has created them. Which of them it may see is left to the caller:
 * looking only for those would read the whole table if they are rare.
 * @throws an error for which `isTooSlow` is true after `withinMs`
 */
export async function countJobs(
  database: Database,
  filters: Pick<JobFilters, 'from' | 'to'>,
  { apiKeyId, withinMs }: { apiKeyId: string; withinMs: number },
): Promise<JobCount[]> {
  const newest = selectJobs(database, filters)
    .select('type', 'state', 'created_at', database.raw('api_key_id = ? AS own', [apiKeyId]))
    .orderBy('id', 'desc')
    .limit(MAX_COUNTED_JOBS);
  const query = database
    .queryBuilder()
    .from(newest.as('newest'))
    .groupBy('type', 'state', 'own')
    .select('type', 'state', 'own')
    .count({ jobs: '*' })
    .min({ oldest: 'created_at' });
  const rows = await selectWithin<Omit<JobCount, 'isOwn'> & { own: number }>(database, query, withinMs);
  return rows.map(({ own, ...row }) => ({ ...row, isOwn: own === 1, jobs: Number(row.jobs) }));
}

function selectJobs(
  database: Database,
  { type, state, from, to, revertOf, applyOf, uploadLink }: Omit<JobFilters, 'visible'>,
): Knex.QueryBuilder {
  const query = database('jobs');
  if (type !== undefined) query.whereIn('type', [type].flat());
  if (uploadLink !== undefined) query.where({ api_key_id: uploadLink, type: 'identity-import' });
  if (state !== undefined) query.whereIn('state', [state].flat());
  // The ids narrow the range that is read, because the list is sorted by them.
  if (from) query.where('id', '>=', lowestId(from.getTime() - ID_AGE_MS)).where('created_at', '>=', from);
  if (to) query.where('id', '<', lowestId(to.getTime() + ID_AGE_MS)).where('created_at', '<', to);
  if (revertOf) {
    // A revert has the acceptance number of its job, which is indexed.
    query.where({ type: 'identity-revert', acceptance: revertOf.acceptance });
    query.whereRaw("JSON_UNQUOTE(JSON_EXTRACT(params, '$.jobId')) = ?", [revertOf.id]);
  }
  if (applyOf !== undefined) {
    const applies = database('applied_plans').where({ plan_id: applyOf }).select('job_id');
    query.whereIn('id', applies);
  }
  return query;
}

/** The time in an id and the time of creation differ by less: a submission waits for the database in between. */
const ID_AGE_MS = 10 * 60_000;

/** Returns the lowest UUIDv7 of a time, in milliseconds since 1970. */
function lowestId(time: number): string {
  const hex = Math.max(0, time).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
