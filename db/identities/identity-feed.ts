import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { selectWithin } from '../client/limit-time.js';
import { executePrepared } from '../client/statement.js';
import type { IdentityKey } from './key-order.js';

/*
 * The feed of changes: the parts that chunks have stored with what they changed, in the order of the commits. `identity_feed` is a single row:
 * the last position, and the one after which every part is stored. A transaction that takes positions keeps its lock until the commit, so a
 * position is visible only once all lower ones are.
 */

/**
 * Takes positions for the parts of a chunk. Call it after all other locks of the transaction and as late as possible, because other chunks
 * wait for its commit. A transaction that is rolled back returns its positions.
 * @returns the first position
 */
export async function takePositions(transaction: Knex.Transaction, count: number): Promise<number> {
  const sql = 'UPDATE identity_feed SET last = LAST_INSERT_ID(last) + ?';
  const { insertId } = await executePrepared(transaction, sql, [count]);
  return insertId + 1;
}

/** Notes that identities change without a record: who has read the feed up to here cannot go on. Locks the feed like {@link takePositions}. */
export async function breakFeed(transaction: Knex.Transaction): Promise<void> {
  await executePrepared(
    transaction,
    'UPDATE identity_feed SET complete_after = last + 1, last = last + 1',
    [],
  );
}

/** How far the feed reaches. */
export interface FeedRange {
  /** Every part with a greater position is stored, up to `last`. */
  completeAfter: number;
  last: number;
}

export async function readFeedRange(database: Database, withinMs: number): Promise<FeedRange> {
  const query = database('identity_feed').select('complete_after', 'last');
  const [row] = await selectWithin<{ complete_after: number; last: number }>(database, query, withinMs);
  return { completeAfter: Number(row?.complete_after ?? 0), last: Number(row?.last ?? 0) };
}

/** The position of a part whose writer knows of none: a worker of the previous release. */
export const UNNUMBERED = 0;

/** A change of the owner of an account, as a part of the feed has it. */
export interface FedChange extends IdentityKey {
  /** The owner before and after; null if there is none. */
  before: string | null;
  after: string | null;
  jobId: string;
  /** See {@link FeedPart}. */
  changedAt: string;
}

/** A part of the feed. */
export interface FeedPart {
  position: number;
  jobId: string;
  /** The time of the database right before the commit, in UTC: ISO 8601 with microseconds. */
  changedAt: string;
  /** A gzip member with the lines of a changes file. */
  content: Buffer;
}

interface FeedRow {
  position: number;
  job_id: string;
  changed_at_text: string;
  content: Buffer;
}

// The driver would return a Date, which has milliseconds only.
const CHANGED_AT = "CONCAT(REPLACE(changed_at, ' ', 'T'), 'Z') AS changed_at_text";

/** Returns when the part with a position was stored; null if there is none. */
export async function readChangedAt(
  database: Database,
  position: number,
  withinMs: number,
): Promise<string | null> {
  const query = database('import_changes').where({ position }).limit(1).select(database.raw(CHANGED_AT));
  const [row] = await selectWithin<Pick<FeedRow, 'changed_at_text'>>(database, query, withinMs);
  return row?.changed_at_text ?? null;
}

/** Returns up to `limit` parts from a position on, in order. The list ends before the first part that is missing. */
export async function readFeedParts(
  database: Database,
  from: number,
  { limit, withinMs }: { limit: number; withinMs: number },
): Promise<FeedPart[]> {
  const query = database('import_changes')
    .where('position', '>=', from)
    .orderBy('position')
    .limit(limit)
    .select('position', 'job_id', 'content', database.raw(CHANGED_AT));
  const rows = await selectWithin<FeedRow>(database, query, withinMs);
  const missing = rows.findIndex(({ position }, at) => Number(position) !== from + at);
  return rows.slice(0, missing < 0 ? rows.length : missing).map((row) => ({
    position: Number(row.position),
    jobId: row.job_id,
    changedAt: row.changed_at_text,
    content: row.content,
  }));
}
