import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { inTransaction } from '../client/transaction.js';
import { acceptanceAt } from './accepted-uploads.js';
import { findJobs, type Job } from './jobs.js';

/* Upkeep of the table `jobs`. Each function handles at most `limit` jobs, so that none takes long. */

/** Tables of steps, with that of earlier releases. */
const LEDGERS = ['job_steps', 'import_chunks'];

/** Returns queued and running jobs created before `before`, with ids above `after`, by id. */
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

/** Returns the parameters of the queued and running jobs of a type. */
export async function paramsOfOpenJobs(database: Database, type: string): Promise<unknown[]> {
  const rows = await database('jobs')
    .where({ type })
    .whereIn('state', ['queued', 'running'])
    .select('params');
  return rows.map(({ params }) => JSON.parse(params));
}

/** Selects jobs that no longer need their upload: completed, canceled, or failed too long ago for a retry. */
const isSpent =
  (failedBefore: Date) =>
  (spent: Knex.QueryBuilder): void =>
    void spent
      .whereIn('state', ['completed', 'completed_with_errors', 'canceled'])
      .orWhere((failed) => failed.where('state', 'failed').where('finished_at', '<', failedBefore));

/** Returns jobs that no longer need their upload. */
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
 * Removes a job's reference to its upload, and its ledger, which is useless without the upload. Returns false if the job was
 * retried: then the file must be kept.
 */
export async function forgetUpload(database: Database, jobId: string, failedBefore: Date): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    const job = transaction('jobs').where({ id: jobId }).where(isSpent(failedBefore));
    if ((await job.update({ source_key: null, source_bytes: null })) === 0) return false;
    for (const ledger of LEDGERS) await transaction(ledger).where({ job_id: jobId }).delete();
    return true;
  });
}

/**
 * Returns jobs whose results have expired but are still stored. The changes of a job are kept while a revert reads them, which
 * has the acceptance number of its job, and those of a dry run while they are applied.
 */
export async function findExpiredResults(database: Database, now: Date, limit: number): Promise<Job[]> {
  const rows = await database('jobs')
    .where('expires_at', '<', now)
    .whereNull('results_removed_at')
    .whereNotExists((revert) =>
      revert
        .select(database.raw('1'))
        .from('jobs as revert')
        .whereRaw('revert.acceptance = jobs.acceptance AND revert.id <> jobs.id')
        .whereIn('revert.state', ['queued', 'running']),
    )
    .whereNotExists((apply) =>
      apply
        .select(database.raw('1'))
        .from('applied_plans')
        .join('jobs as apply', 'apply.id', 'applied_plans.job_id')
        .whereRaw('applied_plans.plan_id = jobs.id')
        .whereIn('apply.state', ['queued', 'running']),
    )
    .limit(limit)
    .select('id');
  return findJobs(
    database,
    rows.map(({ id }) => id),
  );
}

/**
 * Deletes some of the recorded changes of a job, except those that the feed still has to keep. Returns whether any may be left. The ledger
 * notes that the changes are no longer complete, in case the job is retried.
 */
export async function deleteChanges(database: Database, jobId: string, limit: number): Promise<boolean> {
  for (const name of LEDGERS)
    await database(name).where({ job_id: jobId }).whereNotNull('changes_kept').update({ changes_kept: null });
  const feed = await database('identity_feed').first('complete_after');
  const deleted = await database('import_changes')
    .where({ job_id: jobId })
    .where((spent) => spent.whereNull('position').orWhere('position', '<=', feed?.complete_after ?? 0))
    .limit(limit)
    .delete();
  return deleted === limit;
}

export async function noteResultsRemoved(database: Database, jobId: string, now: Date): Promise<void> {
  await database('jobs')
    .where({ id: jobId })
    .update({ results_removed_at: now, result_bytes: null, changes_bytes: null });
}

/** Deletes jobs that ended before `before` and have no files left, with their ledgers. Returns their number. */
export async function deleteOldJobs(database: Database, before: Date, limit: number): Promise<number> {
  const ids = await database('jobs')
    .where('created_at', '<', before)
    .where('finished_at', '<', before)
    .whereNull('source_key')
    .where((kept) =>
      kept
        .whereNotNull('results_removed_at')
        .orWhere((none) =>
          none.whereNull('result_key').whereNull('rejected_key').whereRaw('COALESCE(changes_bytes, 0) = 0'),
        ),
    )
    .limit(limit)
    .pluck('id');
  for (const ledger of LEDGERS) await database(ledger).whereIn('job_id', ids).delete();
  return database('jobs').whereIn('id', ids).whereNotNull('finished_at').delete();
}

/** Returns those of the keys that a job refers to. */
export async function filesOfJobs(database: Database, keys: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  for (const column of ['source_key', 'result_key', 'rejected_key']) {
    for (const row of await database('jobs').whereIn(column, keys).select(column)) named.add(row[column]);
  }
  return named;
}

/**
 * Returns the lowest acceptance number of the uploads whose numbers are still compared with stored ones: they may still write,
 * or they can be reverted.
 */
export async function lowestOpenAcceptance(database: Database): Promise<number> {
  return Math.min(await lowestWriting(database), await lowestRevertible(database));
}

/** Returns the lowest acceptance number of the jobs that are queued, running, or failed and retryable. */
async function lowestWriting(database: Database): Promise<number> {
  const row = await database('jobs')
    .whereNotNull('acceptance')
    .where((open) =>
      open
        .whereIn('state', ['queued', 'running'])
        .orWhere((failed) => failed.where('state', 'failed').whereNotNull('source_key')),
    )
    .min({ lowest: 'acceptance' })
    .first();
  return lowestIn(row);
}

/** Returns the lowest acceptance number of the jobs whose changes are stored. */
async function lowestRevertible(database: Database): Promise<number> {
  const row = await database('jobs')
    .whereNull('results_removed_at')
    .whereNotNull('expires_at')
    .where('changes_bytes', '>', 0)
    .min({ lowest: 'acceptance' })
    .first();
  return lowestIn(row);
}

const lowestIn = (row: { lowest?: unknown } | undefined): number =>
  row?.lowest == null ? Number.MAX_SAFE_INTEGER : Number(row.lowest);

/**
 * Deletes tombstones that no upload needs: below `belowAcceptance`, and both removed and last asserted before `before`. An
 * upload gets its number slightly before its row, so a number alone does not show that all earlier uploads have ended; and a
 * repeated removal changes `asserted_by` but not `updated_at`. Returns their number.
 */
export async function deleteTombstones(
  database: Database,
  { belowAcceptance, before }: { belowAcceptance: number; before: Date },
  limit: number,
): Promise<number> {
  return database('identities')
    .whereNull('email')
    .where('asserted_by', '<', Math.min(belowAcceptance, acceptanceAt(before)))
    .where('updated_at', '<', before)
    .limit(limit)
    .delete();
}
