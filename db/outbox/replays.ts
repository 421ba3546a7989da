import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';
import { type ListedMessage, listedMessages, toListed } from './told-messages.js';
import type { MessageState } from './transitions.js';

/** Which messages of a destination are sent again: some, or all that have ended in certain ways. */
export type ReplayFilter =
  | { sequences: readonly number[] }
  | {
      states: readonly MessageState[];
      reasons?: readonly string[] | undefined;
      webhookIds?: readonly string[] | undefined;
      from?: Date | undefined;
      to?: Date | undefined;
    };

/** The messages that a replay may find: those of a destination up to one of them. */
interface Range {
  destinationId: string;
  filter: ReplayFilter;
  upTo: number;
}

/** Returns the number of the newest message of a destination; 0 if it has none. */
export async function newestMessage(database: Database, destinationId: string): Promise<number> {
  const [row] = await database('messages')
    .where({ destination_id: destinationId })
    .max({ id: 'transition_id' });
  return Number(row?.id ?? 0);
}

/** Returns the next messages that match, the oldest first. */
export async function matchingMessages(
  database: Database,
  range: Range,
  { after, limit }: { after: number; limit: number },
): Promise<ListedMessage[]> {
  const query = matching(listedMessages(database), range).orderBy('messages.transition_id').limit(limit);
  return (await query.where('messages.transition_id', '>', after)).map(toListed);
}

export async function countMatching(database: Database, range: Range): Promise<number> {
  const joined = database('messages').join('transitions', 'transitions.id', 'messages.transition_id');
  const [row] = await matching(joined, range).count({ count: '*' });
  return Number(row?.count ?? 0);
}

function matching<Query extends Knex.QueryBuilder>(
  query: Query,
  { destinationId, filter, upTo }: Range,
): Query {
  query.where('messages.destination_id', destinationId).where('messages.transition_id', '<=', upTo);
  if ('sequences' in filter) {
    query.whereIn('messages.transition_id', [...filter.sequences]);
    return query;
  }
  const { states, reasons, webhookIds, from, to } = filter;
  query.whereIn('messages.state', [...states]);
  if (reasons) query.whereIn('messages.reason', [...reasons]);
  if (webhookIds) query.whereIn('transitions.webhook_id', webhookIds.map(toUuidBinary));
  if (from) query.where('transitions.created_at', '>=', from);
  if (to) query.where('transitions.created_at', '<', to);
  return query;
}

interface Replay {
  destinationId: string;
  /** Whether only the newest message of a key is sent. */
  isLatest: boolean;
  asNew: boolean;
  dryRun: boolean;
}

/** What became of the messages of a replay. `ends`: other messages, of the end of alerts that are told now. */
export interface Replayed {
  replayed: number;
  superseded: number;
  skipped: number;
  ends: number;
}

const ENDED: readonly MessageState[] = ['dead', 'expired', 'canceled'];

/**
 * Has messages sent again. Skips one that waits or was delivered, unless a delivered one is sent as new, and one that is not to be sent because a newer
 * message about its key exists. Sends the end of an alert too that was not told because nobody knew of its beginning.
 */
export async function replay(
  transaction: Knex.Transaction,
  { destinationId, isLatest, asNew, dryRun }: Replay,
  ids: readonly number[],
): Promise<Replayed> {
  const own = () => transaction('messages').where({ destination_id: destinationId });
  // The lane first, as where attempts end: otherwise both could wait for each other.
  if (!dryRun) await transaction('lanes').where({ destination_id: destinationId }).forUpdate().first('lease');
  const rows = await own()
    .whereIn('transition_id', [...ids])
    .select('transition_id', 'key_id', 'state');
  const states = asNew ? [...ENDED, 'delivered'] : ENDED;
  const ended = rows
    .filter(({ state }) => states.includes(state))
    .map(({ transition_id, key_id }) => ({
      id: Number(transition_id),
      keyId: key_id,
      key: key_id.toString('hex'),
    }));
  const keyIds = ended.map(({ keyId }) => keyId);
  const newest = new Map<string, number>();
  if (isLatest)
    for (const row of await own()
      .whereIn('key_id', keyIds)
      .groupBy('key_id')
      .select('key_id')
      .max({ id: 'transition_id' }))
      newest.set(row.key_id.toString('hex'), Number(row.id));
  const due = ended.filter(({ id, key }) => (newest.get(key) ?? id) <= id);
  const ends: number[] = [];
  if (!isLatest) {
    const oldest = new Map(due.map(({ key, id }) => [key, id] as const).reverse());
    const untold = await own()
      .where({ state: 'superseded', reason: 'not_told' })
      .whereIn('key_id', keyIds)
      .select('transition_id', 'key_id');
    for (const row of untold) {
      const id = Number(row.transition_id);
      if (id > (oldest.get(row.key_id.toString('hex')) ?? id)) ends.push(id);
    }
  }
  if (!dryRun) await sendAgain(transaction, destinationId, { ids: due.map(({ id }) => id), ends, asNew });
  return {
    replayed: due.length,
    superseded: ended.length - due.length,
    skipped: ids.length - ended.length,
    ends: ends.length,
  };
}

async function sendAgain(
  transaction: Knex.Transaction,
  destinationId: string,
  { ids, ends, asNew }: { ids: readonly number[]; ends: readonly number[]; asNew: boolean },
): Promise<void> {
  const now = sqlNow(transaction);
  const change = {
    // Before its reason: what was wrong with its body may be mended.
    detail: transaction.raw("CASE WHEN reason = 'body' THEN NULL ELSE detail END"),
    state: 'waiting' as const,
    reason: null,
    ended_at: null,
    due_at: now,
    replayed_at: now,
    attempts_before: transaction.raw('attempts'),
  };
  const own = () => transaction('messages').where({ destination_id: destinationId });
  if (ids.length > 0)
    await own()
      .whereIn('transition_id', [...ids])
      .update({ ...change, ...(asNew ? { copy: transaction.raw('copy + 1') } : {}) });
  if (ends.length > 0)
    await own()
      .whereIn('transition_id', [...ends])
      .update(change);
  await transaction('lanes')
    .where({ destination_id: destinationId })
    .update({ due_at: transaction.raw('LEAST(COALESCE(due_at, UTC_TIMESTAMP(3)), UTC_TIMESTAMP(3))') });
}

/** Returns whether any of these messages waits. */
export async function waits(
  database: Database,
  destinationId: string,
  ids: readonly number[],
): Promise<boolean> {
  const row = await database('messages')
    .where({ destination_id: destinationId, state: 'waiting' })
    .whereIn('transition_id', [...ids])
    .first('transition_id');
  return row !== undefined;
}

/** Messages that were given up for the same reason. */
export interface GivenUp {
  state: MessageState;
  reason: string | null;
  count: number;
  /** When the first and the last of them ended. */
  firstAt: Date;
  lastAt: Date;
}

/** Returns what a destination was not told because it was given up, by state and reason, the latest first. */
export async function givenUp(database: Database, destinationId: string): Promise<GivenUp[]> {
  const rows = await database('messages')
    .where({ destination_id: destinationId })
    .whereIn('state', [...ENDED])
    .groupBy('state', 'reason')
    .orderBy('lastAt', 'desc')
    .select({
      state: 'state',
      reason: 'reason',
      count: database.raw('COUNT(*)'),
      firstAt: database.raw('MIN(ended_at)'),
      lastAt: database.raw('MAX(ended_at)'),
    });
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}
