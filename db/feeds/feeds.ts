import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { sqlNow } from '../client/now.js';

/** Who saved it. */
interface Author {
  id: string;
  name: string;
}

/** What the file was that a feed has read last, as far as it was planned completely. */
export interface SeenFile {
  /** What the source calls this version; null: it cannot tell. */
  version: string | null;
  /** SHA-256 of its bytes, in hex. */
  digest: string;
  modifiedAt: string | null;
  /** The settings with which it was read. */
  revision: number;
}

/** Matches no file, so that the next one is planned. */
export const NOTHING_SEEN: SeenFile = { version: null, digest: '', modifiedAt: null, revision: 0 };

/** What is wrong with a feed: its last run failed, or waits for somebody who approves its plan. */
export type FeedProblem = 'failed' | 'held';

/** A file of identities that is fetched on a schedule. */
export interface Feed {
  id: string;
  /** No other feed has it. */
  name: string;
  /** JSON, see `workers/feeds/feed-settings.ts`. */
  settings: unknown;
  /** The secrets of its source, as encrypted JSON; null: it has none. */
  secrets: Buffer | null;
  /** Null: it is paused, or only started by hand. */
  nextRunAt: Date | null;
  seen: SeenFile | null;
  problem: FeedProblem | null;
  problemAt: Date | null;
  /** Counts the changes. */
  revision: number;
  savedBy: Author;
  createdAt: Date;
  updatedAt: Date;
}

export type FeedChange = Pick<Feed, 'name' | 'settings' | 'secrets' | 'nextRunAt'>;

/** Returns the feeds by name. */
export async function listFeeds(
  database: Database,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<Feed[]> {
  const query = database('feeds').whereNull('deleted_at').limit(limit);
  const after_ = after === undefined ? undefined : [after];
  return (await orderByKeyset(query, { columns: ['name'], order: 'asc', after: after_ })).map(toFeed);
}

export async function findFeed(database: Database, id: string): Promise<Feed | null> {
  const row = await database('feeds').where({ id }).whereNull('deleted_at').first();
  return row ? toFeed(row) : null;
}

/** Returns the feed and locks it until the transaction ends. */
export async function lockFeed(transaction: Database, id: string): Promise<Feed | null> {
  const row = await transaction('feeds').where({ id }).whereNull('deleted_at').forUpdate().first();
  return row ? toFeed(row) : null;
}

export async function findFeedByName(database: Database, name: string): Promise<Feed | null> {
  const row = await database('feeds').where({ name }).first();
  return row ? toFeed(row) : null;
}

export async function countFeeds(database: Database): Promise<number> {
  const [row] = await database('feeds').whereNull('deleted_at').count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** @throws an error for which `isDuplicateKey` is true if another feed has the name */
export async function insertFeed(
  transaction: Database,
  { id, author, ...change }: FeedChange & { id: string; author: Author },
): Promise<void> {
  await transaction('feeds').insert({
    id,
    ...toColumns(change, author),
    updated_at: sqlNow(transaction),
    revision: 1,
    created_at: sqlNow(transaction),
  });
}

/** Replaces the settings of a locked feed. */
export async function updateFeed(
  transaction: Database,
  before: Feed,
  change: FeedChange,
  author: Author,
): Promise<void> {
  await transaction('feeds')
    .where({ id: before.id })
    .update({
      ...toColumns(change, author),
      updated_at: sqlNow(transaction),
      revision: before.revision + 1,
    });
}

/** Deletes a feed with its secrets. Upkeep resolves its alert, and deletes the row. Its runs stay. */
export async function deleteFeed(transaction: Database, id: string): Promise<void> {
  await transaction('feeds')
    .where({ id })
    .update({ name: null, secrets: null, next_run_at: null, deleted_at: sqlNow(transaction) });
}

/** Returns the feeds that are due, the longest due first. */
export async function dueFeeds(database: Database, now: Date, limit: number): Promise<Feed[]> {
  const rows = await database('feeds')
    .where('next_run_at', '<=', now)
    .whereNull('deleted_at')
    .orderBy(['next_run_at', 'id'])
    .limit(limit);
  return rows.map(toFeed);
}

/** Returns the feeds that wait for somebody. */
export async function heldFeeds(database: Database, limit: number): Promise<Feed[]> {
  const rows = await database('feeds').where({ problem: 'held' }).whereNull('deleted_at').limit(limit);
  return rows.map(toFeed);
}

/** Returns the ids of deleted feeds, and whether each has a problem. */
export async function deletedFeeds(
  database: Database,
  limit: number,
): Promise<{ id: string; hasProblem: boolean; deletedAt: Date }[]> {
  const rows = await database('feeds').whereNotNull('deleted_at').limit(limit);
  return rows.flatMap(({ id, problem, deleted_at: deletedAt }) =>
    deletedAt ? { id, hasProblem: problem !== null, deletedAt } : [],
  );
}

export const forgetFeed = (database: Database, id: string): Promise<number> =>
  database('feeds').where({ id }).whereNotNull('deleted_at').delete();

export const setNextRun = (transaction: Database, id: string, nextRunAt: Date | null): Promise<number> =>
  transaction('feeds').where({ id }).update({ next_run_at: nextRunAt });

/** Notes what a run has seen of the file, and what is wrong with the feed since. */
export async function noteRun(
  transaction: Database,
  id: string,
  { seen, problem }: { seen: SeenFile | null; problem: FeedProblem | null },
): Promise<void> {
  await transaction('feeds')
    .where({ id })
    .update({
      ...(seen ? { seen: JSON.stringify(seen) } : {}),
      problem_at:
        problem === null
          ? null
          : transaction.raw('IF(problem <=> ?, problem_at, UTC_TIMESTAMP(3))', [problem]),
      problem,
    });
}

const toColumns = ({ name, settings, secrets, nextRunAt }: FeedChange, author: Author) => ({
  name,
  settings: JSON.stringify(settings),
  secrets,
  next_run_at: nextRunAt,
  saved_by_id: author.id,
  saved_by_name: author.name,
});

const toFeed = (row: Tables['feeds']): Feed => ({
  id: row.id,
  name: row.name ?? '',
  settings: JSON.parse(row.settings),
  secrets: row.secrets,
  nextRunAt: row.next_run_at,
  seen: row.seen === null ? null : JSON.parse(row.seen),
  problem: row.problem,
  problemAt: row.problem_at,
  revision: row.revision,
  savedBy: { id: row.saved_by_id, name: row.saved_by_name ?? '' },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
