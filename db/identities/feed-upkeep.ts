import type { Database } from '../client/connect.js';
import { inTransaction } from '../client/transaction.js';
import { breakFeed, UNNUMBERED } from './identity-feed.js';

/* Upkeep of the feed of changes. Each function handles at most `limit` parts. */

/**
 * Deletes parts of the feed that were stored before a time, oldest first. A part that the changes file or a revert of its job still needs
 * stays, and is no longer a part of the feed's promise; it is deleted once the job's results have expired.
 * @param after the position after which to start: that of the last call, or 0
 * @returns how many parts were handled, and the last of their positions
 */
export async function expireFeed(
  database: Database,
  { after, before }: { after: number; before: Date },
  limit: number,
): Promise<{ count: number; last: number }> {
  const rows = await database('import_changes')
    .where('position', '>', Math.max(after, UNNUMBERED))
    .orderBy('position')
    .limit(limit)
    .select('position', 'job_id', 'changed_at');
  const young = rows.findIndex(({ changed_at }) => !changed_at || changed_at >= before);
  const old = young < 0 ? rows : rows.slice(0, young);
  const last = Number(old.at(-1)?.position ?? after);
  if (old.length === 0) return { count: 0, last };
  // Before the first part is deleted, so that no reader takes a missing part for the end.
  await database('identity_feed').where('complete_after', '<', last).update({ complete_after: last });
  const needed = await jobsThatNeedChanges(database, [...new Set(old.map(({ job_id }) => job_id))]);
  const spent = old.flatMap(({ job_id, position }) => (needed.has(job_id) ? [] : [Number(position)]));
  if (spent.length > 0) await database('import_changes').whereIn('position', spent).delete();
  return { count: old.length, last };
}

/** Returns those of the jobs whose changes can be downloaded or reverted, now or once they have ended. */
async function jobsThatNeedChanges(database: Database, ids: readonly string[]): Promise<Set<string>> {
  const needed = await database('jobs')
    .whereIn('id', ids)
    .whereNull('results_removed_at')
    .where((kept) => kept.whereNull('finished_at').orWhere('changes_bytes', '>', 0))
    .pluck('id');
  return new Set(needed);
}

/**
 * Handles parts that workers of the previous release have stored without a position. If any of them changed identities, the feed has a gap at
 * an unknown place, so it is broken there: who has read it up to now cannot go on. Returns the number of parts.
 */
export async function settleUnnumbered(database: Database, limit: number): Promise<number> {
  const rows = await database('import_changes')
    .where({ position: UNNUMBERED })
    .limit(limit)
    .select('job_id', 'kind', 'chunk', 'part');
  if (rows.length === 0) return 0;
  const ids = [...new Set(rows.map(({ job_id }) => job_id))];
  const jobs = await database('jobs').whereIn('id', ids).select('id', 'params');
  const dryRuns = new Set(
    jobs.filter(({ params }) => JSON.parse(params).dryRun === true).map(({ id }) => id),
  );
  await inTransaction(database, async (transaction) => {
    if (ids.some((id) => !dryRuns.has(id))) await breakFeed(transaction);
    const keys = rows.map(({ job_id, kind, chunk, part }) => [job_id, kind, chunk, part]);
    await transaction('import_changes')
      .whereIn(['job_id', 'kind', 'chunk', 'part'], keys)
      .update({ position: null });
  });
  return rows.length;
}
