import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';
import { lockLatestAlerts } from './latest-alerts.js';
import { OutboxRows } from './outbox.js';

/** How many days a message waits at most: about an alert, and about a job. */
const MAX_DAYS = { alert: 1, job: 7 };

/**
 * Ends messages that have waited for too long, such as those of a paused destination, and all of deleted ones. Returns their number, at
 * most `limit` for each destination.
 */
export async function expireWaiting(database: Database, limit: number): Promise<number> {
  let ended = 0;
  const daysAgo = (days: number) => database.raw('UTC_TIMESTAMP(3) - INTERVAL ? DAY', [days]);
  const ofJobs = () => database('transitions').where('kind', 'finished').whereRaw('id = transition_id');
  const lanes = await database('lanes')
    .join('destinations', 'destinations.id', 'lanes.destination_id')
    .whereNotNull('due_at')
    .where((late) => late.where('due_at', '<', daysAgo(MAX_DAYS.alert)).orWhereNotNull('deleted_at'))
    .select('id', 'deleted_at');
  for (const { id, deleted_at } of lanes) {
    const isDeleted = deleted_at !== null;
    const waiting = database('messages')
      .where({ destination_id: id, state: 'waiting' })
      .orderBy('due_at')
      .limit(limit)
      .select('transition_id');
    if (!isDeleted)
      waiting
        .where('due_at', '<', daysAgo(MAX_DAYS.alert))
        .where((late) => late.where('due_at', '<', daysAgo(MAX_DAYS.job)).orWhereNotExists(ofJobs()));
    const rows = await waiting;
    if (rows.length > 0)
      ended += await database('messages')
        .where({ destination_id: id, state: 'waiting' })
        .whereIn(
          'transition_id',
          rows.map((row) => row.transition_id),
        )
        .update({
          state: 'expired',
          reason: isDeleted ? 'deleted' : 'expired',
          ended_at: sqlNow(database),
        });
    if (isDeleted && rows.length < limit)
      await database('lanes').where({ destination_id: id }).update({ due_at: null });
  }
  return ended;
}

/** Deletes messages that ended before a time, with their attempts, and what they told of. Returns how many rows it deleted. */
export async function deleteMessagesBefore(database: Database, before: Date, limit: number): Promise<number> {
  const messages = await database('messages').where('ended_at', '<', before).limit(limit).delete();
  const attempts = await database('message_attempts').where('began_at', '<', before).limit(limit).delete();
  // Messages may have waited.
  const made = (days: number) => new Date(before.getTime() - (days + 1) * 24 * 60 * 60_000);
  const old = () => database('transitions').limit(limit);
  const alerts = await old()
    .where('created_at', '<', made(MAX_DAYS.alert))
    .whereNot('kind', 'finished')
    .delete();
  const jobs = await old().where('created_at', '<', made(MAX_DAYS.job)).where('kind', 'finished').delete();
  return Math.max(messages, attempts, alerts, jobs);
}

/** Deletes what destinations know of alerts that were over before a time, and all that deleted ones knew. Returns how many rows it deleted, at most `limit` of each. */
export async function deleteOldBeliefs(database: Database, before: Date, limit: number): Promise<number> {
  const over = await database('beliefs')
    .where('told_at', '<', before)
    .where('firing', 0)
    .limit(limit)
    .delete();
  const known = database('beliefs').whereRaw('beliefs.destination_id = destinations.id');
  // First the ids: MariaDB would look for them at each row that it may delete.
  const ids = await database('destinations').whereNotNull('deleted_at').whereExists(known).pluck('id');
  if (ids.length === 0) return over;
  return Math.max(over, await database('beliefs').whereIn('destination_id', ids).limit(limit).delete());
}

/**
 * Has destinations told of what happened to the alerts of integrations that are no longer muted. Returns how many alerts that are, at most
 * `limit` for each destination.
 */
export async function endMutes(database: Database, limit: number): Promise<number> {
  const muted = await database('webhooks').where('muted_until', '>', sqlNow(database)).select('id');
  const destinations = await database('destinations').whereNull('deleted_at').select('id');
  const ids = destinations.map(({ id }) => id);
  let count = 0;
  for (const id of await withMuted(database, ids)) {
    count += await inTransaction(database, async (transaction) => {
      const rows = await transaction('messages')
        .join('transitions', 'transitions.id', 'messages.transition_id')
        .where('messages.destination_id', id)
        .where('messages.state', 'muted')
        .whereNotIn(
          'transitions.webhook_id',
          muted.map((one) => toUuidBinary(one.id)),
        )
        .limit(limit)
        .select('messages.transition_id', 'messages.key_id');
      if (rows.length === 0) return 0;
      const keys = [...new Map(rows.map((row) => [row.key_id.toString('hex'), row.key_id])).values()];
      await tellLatest(transaction, keys);
      // Of all destinations: what happened to a series concerns each of them, but is to be told once.
      await transaction('messages')
        .whereIn('destination_id', ids)
        .whereIn('key_id', keys)
        .where('state', 'muted')
        .update({ state: 'superseded' });
      return rows.length;
    });
  }
  return count;
}

/** Returns those of some destinations that have messages that were not sent because of a mute. */
async function withMuted(database: Database, ids: readonly string[]): Promise<string[]> {
  const muted = database('messages')
    .where('messages.state', 'muted')
    .whereRaw('messages.destination_id = destinations.id');
  return database('destinations')
    .whereIn('id', [...ids])
    .whereExists(muted)
    .pluck('id');
}

/** Writes the latest alerts of series into the outbox, for destinations to compare with what they know. */
async function tellLatest(transaction: Knex.Transaction, seriesIds: readonly Buffer[]): Promise<void> {
  const outbox = new OutboxRows();
  for (const { isFiring: _, ...latest } of await lockLatestAlerts(transaction, seriesIds))
    outbox.add({ kind: 'refolded', ...latest });
  await outbox.insert(transaction);
}
