import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';
import { hasLease, type Lane } from './lanes.js';

/** A message that waits. */
export interface WaitingMessage {
  transitionId: number;
  keyId: string;
  isFiltered: boolean;
  /** Which clause of the filter it is filtered by, or why the filter could not decide. */
  detail: string | null;
  attempts: number;
  /** How long ago it was made. */
  ageMs: number;
  body: Buffer | null;
}

/** Ends messages about keys of which a newer one waits too. */
async function supersede(database: Database, destinationId: string, keys: readonly Buffer[]): Promise<void> {
  const rows = await database('messages')
    .where({ destination_id: destinationId, state: 'waiting' })
    .whereIn('key_id', [...keys])
    .groupBy('key_id')
    .havingRaw('COUNT(*) > 1')
    .select('key_id')
    .max({ newest: 'transition_id' });
  for (const row of rows) {
    await database('messages')
      .where({ destination_id: destinationId, key_id: row.key_id, state: 'waiting' })
      .where('transition_id', '<', row.newest)
      .update({ state: 'superseded', reason: 'superseded', ended_at: sqlNow(database) });
  }
}

/**
 * Returns messages that are due, the oldest of each key. One that is due while an older one of its key is not waits as long as that one.
 * @param isLatest whether only the newest message of a key is sent: then it ends the older ones
 */
export async function dueMessages(
  database: Database,
  { destinationId }: Pick<Lane, 'destinationId'>,
  { limit, isLatest }: { limit: number; isLatest: boolean },
): Promise<WaitingMessage[]> {
  const due = await database('messages')
    .where({ destination_id: destinationId, state: 'waiting' })
    .where('due_at', '<=', sqlNow(database))
    .orderBy(['due_at', 'transition_id'])
    .limit(limit)
    .select('transition_id', 'key_id');
  if (due.length === 0) return [];
  const keys = [...new Map(due.map((row) => [row.key_id.toString('hex'), row.key_id])).values()];
  if (isLatest) await supersede(database, destinationId, keys);
  const heads = await database('messages')
    .where({ destination_id: destinationId, state: 'waiting' })
    .whereIn('key_id', keys)
    .groupBy('key_id')
    .min({ transition_id: 'transition_id' });
  const rows = await database('messages')
    // A message without its transition is returned too: otherwise its lane would be due for ever.
    .leftJoin('transitions', 'transitions.id', 'messages.transition_id')
    .where('destination_id', destinationId)
    .whereIn(
      'transition_id',
      heads.map((row) => Number(row.transition_id)),
    )
    .orderBy('transition_id')
    .select({
      transitionId: 'transition_id',
      keyId: 'key_id',
      isFiltered: 'is_filtered',
      detail: 'detail',
      attempts: 'attempts',
      body: 'body',
      dueAt: 'due_at',
      isDue: database.raw('due_at <= UTC_TIMESTAMP(3)'),
      ageMs: database.raw('TIMESTAMPDIFF(MICROSECOND, created_at, UTC_TIMESTAMP(3)) DIV 1000'),
    });
  for (const row of rows) {
    if (row.isDue) continue;
    await database('messages')
      .where({ destination_id: destinationId, key_id: row.keyId, state: 'waiting' })
      .where('due_at', '<', row.dueAt)
      .update({ due_at: row.dueAt });
  }
  return rows
    .filter(({ isDue }) => isDue)
    .map((row) => ({
      transitionId: Number(row.transitionId),
      keyId: fromUuidBinary(row.keyId),
      isFiltered: row.isFiltered === 1,
      detail: row.detail,
      attempts: row.attempts,
      ageMs: Number(row.ageMs),
      body: row.body,
    }));
}

/** Returns whether a newer message about the same key waits too. */
export async function newerWaits(
  database: Database,
  { destinationId }: Pick<Lane, 'destinationId'>,
  { keyId, transitionId }: Pick<WaitingMessage, 'keyId' | 'transitionId'>,
): Promise<boolean> {
  const row = await database('messages')
    .where({ destination_id: destinationId, key_id: toUuidBinary(keyId), state: 'waiting' })
    .where('transition_id', '>', transitionId)
    .first('transition_id');
  return row !== undefined;
}

/**
 * Returns whether a destination may have been told of a key although nobody knows it: by a message after a certain one that was sent, and ended
 * without an acceptance. A worker may have been stopped before it noted that, or the response may have come too late.
 */
export async function mayBeTold(
  database: Database,
  { destinationId }: Pick<Lane, 'destinationId'>,
  { keyId, transitionId }: Pick<WaitingMessage, 'keyId' | 'transitionId'>,
  after: number,
): Promise<boolean> {
  const row = await database('messages')
    .where({ destination_id: destinationId, key_id: toUuidBinary(keyId) })
    .whereIn('state', ['superseded', 'expired', 'dead'])
    .where('transition_id', '>', after)
    .where('transition_id', '<', transitionId)
    .where('attempts', '>', 0)
    .first('transition_id');
  return row !== undefined;
}

/** Why a message was not sent, or is not sent again. */
export type EndState = 'delivered' | 'superseded' | 'filtered' | 'expired' | 'dead';

/** Ends messages without a request. Returns false if another worker has the lane: then it decides. */
export async function endMessages(
  database: Database,
  lane: Lane,
  ids: readonly number[],
  { state, reason, detail }: { state: EndState; reason: string; detail?: string | undefined },
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    if (!(await hasLease(transaction, lane))) return false;
    await transaction('messages')
      .where({ destination_id: lane.destinationId, state: 'waiting' })
      .whereIn('transition_id', [...ids])
      .update({ state, reason, ...(detail !== undefined && { detail }), ended_at: sqlNow(transaction) });
    return true;
  });
}
