import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { inTransaction } from '../client/transaction.js';
import { findJobs, type Job } from './jobs.js';

/** Housekeeping of the table `jobs`: each function sees to at most `limit` jobs, so that none takes long. */

/** Jobs that should be in a queue or with a worker since before `before`. */
export async function findOpenJobs(
  database: Database,
  before: Date,
  after: string,
  limit: number,
): Promise<Job[]> {
  const rows = await database('jobs')
    .whereIn('state', ['queued', 'running'])
    .where('created_at', '<', before)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .select('id');
  const jobs = await findJobs(
    database,
    rows.map(({ id }) => id),
  );
  return jobs.sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Whether a job's upload is needed no more: it is done or canceled, or failed too long ago to be tried again. */
const isSpent =
  (failedBefore: Date) =>
  (spent: Knex.QueryBuilder): void =>
    void spent
      .whereIn('state', ['completed', 'completed_with_errors', 'canceled'])
      .orWhere((failed) => failed.where('state', 'failed').where('finished_at', '<', failedBefore));

/** Jobs whose upload is needed no more. */
export async function findSpentUploads(
  database: Database,
  failedBefore: Date,
  limit: number,
): Promise<Job[]> {
  const query = database('jobs').whereNotNull('source_key').where(isSpent(failedBefore));
  const rows = await query.limit(limit).select('id');
  return findJobs(
    database,
    rows.map(({ id }) => id),
  );
}

/**
 * Forgets a job's upload and the ledger, which is useless without it, both or neither. Returns false if the job is being
 * retried meanwhile: then the file must stay.
 */
export async function forgetUpload(database: Database, jobId: string, failedBefore: Date): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const job = transaction('jobs').where({ id: jobId }).where(isSpent(failedBefore));
    if ((await job.update({ source_key: null, source_bytes: null })) === 0) return false;
    await transaction('import_chunks').where({ job_id: jobId }).delete();
    return true;
  });
}

/** Jobs whose results have expired and are still kept. */
export async function findExpiredResults(database: Database, now: Date, limit: number): Promise<Job[]> {
  const rows = await database('jobs')
    .where('expires_at', '<', now)
    .whereNull('results_removed_at')
    .limit(limit)
    .select('id');
  return findJobs(
    database,
    rows.map(({ id }) => id),
  );
}

export async function noteResultsRemoved(database: Database, jobId: string, now: Date): Promise<void> {
  await database('jobs').where({ id: jobId }).update({ results_removed_at: now, result_bytes: null });
}

/** Deletes the rows of jobs that ended before `before` and have no file left. Answers how many. */
export async function deleteOldJobs(database: Database, before: Date, limit: number): Promise<number> {
  return database('jobs')
    .where('created_at', '<', before)
    .where('finished_at', '<', before)
    .whereNull('source_key')
    .where((kept) =>
      kept
        .whereNotNull('results_removed_at')
        .orWhere((none) => none.whereNull('result_key').whereNull('rejected_key')),
    )
    .limit(limit)
    .delete();
}

/** Those of the stored files that a job names. */
export async function filesOfJobs(database: Database, keys: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  for (const column of ['source_key', 'result_key', 'rejected_key']) {
    for (const row of await database('jobs').whereIn(column, keys).select(column)) named.add(row[column]);
  }
  return named;
}

/** The lowest acceptance number of the uploads that may still write: queued, running, or failed and kept for a retry. */
export async function lowestOpenAcceptance(database: Database): Promise<number> {
  const row = await database('jobs')
    .whereNotNull('acceptance')
    .where((open) =>
      open
        .whereIn('state', ['queued', 'running'])
        .orWhere((failed) => failed.where('state', 'failed').whereNotNull('source_key')),
    )
    .min({ lowest: 'acceptance' })
    .first();
  return row?.lowest == null ? Number.MAX_SAFE_INTEGER : Number(row.lowest);
}

/**
 * Deletes tombstones that no upload can need any more: those below `belowAcceptance`, and both removed and
 * last asserted before `before`. An upload has its number a moment before its row, so a number alone does not tell that
 * all earlier uploads are done; and a repeated removal moves `asserted_by` but not `updated_at`. Returns how many.
 */
export async function deleteTombstones(
  database: Database,
  { belowAcceptance, before }: { belowAcceptance: number; before: Date },
  limit: number,
): Promise<number> {
  return database('identities')
    .whereNull('email')
    .where('asserted_by', '<', Math.min(belowAcceptance, toAcceptance(before)))
    .where('updated_at', '<', before)
    .limit(limit)
    .delete();
}

/** Acceptance numbers are µs since 1970, or a little above. */
const toAcceptance = (time: Date): number => time.getTime() * 1_000;
