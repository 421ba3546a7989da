import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';

/** What a write did, counted row by row, as if the rows had been applied one after another. */
export interface ChunkCounts {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
  notFound: number;
  superseded: number;
  /** Only a revert restores and skips. */
  restored: number;
  skipped: number;
}

/** A chunk in the ledger: its number, and enough of its content to recognize it after a restart. */
export interface LedgerEntry {
  chunk: number;
  rows: number;
  /** 8 bytes over all its rows. */
  checksum: Buffer;
}

/** What a chunk did. */
export interface ChunkResult {
  counts: ChunkCounts;
  /** Whether its changes are stored, see `import-changes.ts`. */
  changesKept: boolean;
}

export const NO_COUNTS: ChunkCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  notFound: 0,
  superseded: 0,
  restored: 0,
  skipped: 0,
};

/** Returns the committed chunks of a job. */
export async function readLedger(database: Database, jobId: string): Promise<LedgerEntry[]> {
  const rows = await database('import_chunks')
    .where({ job_id: jobId })
    .select('chunk', 'row_count', 'checksum');
  return rows.map((row) => ({ chunk: row.chunk, rows: row.row_count, checksum: row.checksum }));
}

export async function isEntered(database: Database, jobId: string, chunk: number): Promise<boolean> {
  return (await database('import_chunks').where({ job_id: jobId, chunk }).first('chunk')) !== undefined;
}

/** The job has ended: another worker has finished it, and its ledger may be deleted. */
export class JobNotRunning extends Error {
  override name = 'JobNotRunning';
}

/**
 * Enters a chunk in the transaction that writes it. The primary key is the fence: the second worker that enters a
 * chunk fails with a duplicate key, and its transaction is rolled back.
 *
 * @throws JobNotRunning if the job has ended
 */
export async function enterChunk(
  transaction: Knex.Transaction,
  jobId: string,
  { chunk, rows, checksum }: LedgerEntry,
  { counts: { notFound, ...counts }, changesKept }: ChunkResult,
): Promise<void> {
  const entry = {
    chunk,
    row_count: rows,
    checksum,
    not_found: notFound,
    ...counts,
    changes_kept: changesKept ? 1 : null,
  };
  const marks = Object.keys(entry).map(() => '?');
  const [{ affectedRows }] = await transaction.raw(
    `INSERT INTO import_chunks (job_id, ${Object.keys(entry)})
     SELECT id, ${marks} FROM jobs WHERE id = ? AND state = 'running'`,
    [...Object.values(entry), jobId],
  );
  if (affectedRows === 0) throw new JobNotRunning('the job has ended already');
}

/** Returns the sum of the counts of all committed chunks of a job. */
export async function sumLedger(database: Database, jobId: string): Promise<ChunkCounts> {
  const row = await database('import_chunks')
    .where({ job_id: jobId })
    .sum({
      created: 'created',
      updated: 'updated',
      unchanged: 'unchanged',
      removed: 'removed',
      notFound: 'not_found',
      superseded: 'superseded',
      restored: 'restored',
      skipped: 'skipped',
    })
    .first();
  const counts = { ...NO_COUNTS };
  for (const name of Object.keys(counts) as (keyof ChunkCounts)[]) counts[name] = Number(row?.[name] ?? 0);
  return counts;
}
