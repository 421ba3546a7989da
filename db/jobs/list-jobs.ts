import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { findJobs, type Job, type JobState } from './jobs.js';

export interface JobFilters {
  type?: string | undefined;
  state?: JobState | undefined;
  /** Only those of these types, and those that this key made. */
  visible?: { types: readonly string[]; apiKeyId: string } | undefined;
}

/** A page of jobs, newest first: ids are in the order of their making. */
export async function listJobs(
  database: Database,
  { type, state, visible }: JobFilters,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<Job[]> {
  const query = database('jobs').select('id').limit(limit);
  if (type !== undefined) query.where({ type });
  if (state !== undefined) query.where({ state });
  if (visible) {
    const { types, apiKeyId } = visible;
    query.where((either) => either.whereIn('type', types).orWhere({ api_key_id: apiKeyId }));
  }
  const after = before === undefined ? undefined : [before];
  orderByKeyset(query, { columns: ['id'], order: 'desc', after });
  const ids = (await query).map(({ id }) => id as string);
  const jobs = new Map((await findJobs(database, ids)).map((job) => [job.id, job]));
  return ids.flatMap((id) => jobs.get(id) ?? []);
}
