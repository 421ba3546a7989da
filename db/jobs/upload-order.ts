import type { Database } from '../client/connect.js';
import { acceptanceOf } from './accepted-uploads.js';
import type { Job } from './jobs.js';

type Upload = Pick<Job, 'id' | 'type' | 'acceptance' | 'startedAt'>;

/** Returns whether an upload of the same table that was accepted earlier has not ended: the fair order between API keys may take this one first. */
export async function followsEarlier(database: Database, job: Upload, table: string): Promise<boolean> {
  const earlier = await database('jobs')
    .where({ type: job.type })
    .whereIn('state', ['queued', 'running'])
    .where('acceptance', '<', acceptanceOf(job))
    .whereRaw("JSON_UNQUOTE(JSON_EXTRACT(params, '$.table')) = ?", [table])
    .first('id');
  return earlier !== undefined;
}

/**
 * Returns the place of an upload in the order of acceptance, after those that it could not wait for. An upload that was accepted later, but recorded
 * first, may have ended before this one started: nobody had heard yet that this one was accepted.
 * @param last the acceptance number of what decided last about the same rows
 */
export async function placeAfter(database: Database, job: Upload, last: number): Promise<number> {
  const own = acceptanceOf(job);
  if (last <= own || !job.startedAt) return own;
  const faster = await database('jobs')
    .where({ type: job.type, acceptance: last })
    .where('started_at', '<', job.startedAt)
    .first('id');
  return faster ? last : own;
}
