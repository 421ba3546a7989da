import type { Knex } from 'knex';
import type { Database } from './connect.js';

/** What a write did, row by row, as if the rows had been applied one after the other. */
export interface ChunkCounts {
  created: number;
  updated: number;
  unchanged: number;
  removed: number;
  notFound: number;
  superseded: number;
}

/** Which rows of the upload a chunk holds: enough to know them again after a restart. */
export interface ChunkContent {
  firstLine: number;
  lastLine: number;
  /** 8 bytes over all its rows. */
  checksum: Buffer;
}

export interface LedgerEntry extends ChunkContent {
  lane: number;
  chunk: number;
}

export const NO_COUNTS: ChunkCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  removed: 0,
  notFound: 0,
  superseded: 0,
};

/** The chunks of a job that are committed. */
export async function readLedger(database: Database, jobId: string): Promise<LedgerEntry[]> {
  const rows = await database('import_chunks')
    .where({ job_id: jobId })
    .select('lane', 'chunk', 'first_line', 'last_line', 'checksum');
  return rows.map((row) => ({
    lane: row.lane,
    chunk: row.chunk,
    firstLine: Number(row.first_line),
    lastLine: Number(row.last_line),
    checksum: row.checksum,
  }));
}

/**
 * Enters a chunk in the transaction that writes it. The primary key is the fence: whoever enters a chunk second fails
 * with a duplicate key, and what it wrote is rolled back.
 */
export async function enterChunk(
  transaction: Knex.Transaction,
  jobId: string,
  entry: LedgerEntry,
  counts: ChunkCounts,
): Promise<void> {
  await transaction('import_chunks').insert({
    job_id: jobId,
    lane: entry.lane,
    chunk: entry.chunk,
    first_line: entry.firstLine,
    last_line: entry.lastLine,
    checksum: entry.checksum,
    created: counts.created,
    updated: counts.updated,
    unchanged: counts.unchanged,
    removed: counts.removed,
    not_found: counts.notFound,
    superseded: counts.superseded,
  });
}

/** What all committed chunks of a job did together. */
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
    })
    .first();
  const counts = { ...NO_COUNTS };
  for (const name of Object.keys(counts) as (keyof ChunkCounts)[]) counts[name] = Number(row?.[name] ?? 0);
  return counts;
}
