import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlInSeconds, sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';
import { type Belief, toBelief } from './transitions.js';

/** A destination whose messages one worker sends. All times are those of the database. */
export interface Lane {
  destinationId: string;
  /** A worker with another one may not write any more. */
  lease: string;
  /** Attempts that failed in a row. */
  failures: number;
  /** Since when all attempts have failed, in milliseconds; null: the last one did not. */
  failingForMs: number | null;
}

/** Takes lanes with messages that are due and that nobody else has, for so many seconds. */
export async function takeLanes(
  database: Database,
  { lease, seconds, limit, isFailing }: { lease: string; seconds: number; limit: number; isFailing: boolean },
): Promise<Lane[]> {
  if (limit <= 0) return [];
  return database.transaction(async (transaction) => {
    const [rows] = await transaction.raw(
      `SELECT lanes.destination_id AS destinationId, failures, TIMESTAMPDIFF(MICROSECOND, failing_since, UTC_TIMESTAMP(3)) DIV 1000 AS failingForMs
        FROM lanes JOIN destinations ON destinations.id = lanes.destination_id
        WHERE due_at <= UTC_TIMESTAMP(3) AND (lease_until IS NULL OR lease_until < UTC_TIMESTAMP(3))
          AND stopped IS NULL AND paused_at IS NULL AND deleted_at IS NULL
          AND (probe_at IS NULL OR probe_at <= UTC_TIMESTAMP(3)) AND failures ${isFailing ? '>' : '='} 0
        ORDER BY due_at LIMIT ? FOR UPDATE SKIP LOCKED`,
      [limit],
    );
    if (rows.length === 0) return [];
    await transaction('lanes')
      .whereIn(
        'destination_id',
        rows.map(({ destinationId }: Lane) => destinationId),
      )
      .update({ lease, lease_until: sqlInSeconds(transaction, seconds) });
    return rows.map(({ failingForMs, ...lane }: Lane) => ({
      ...lane,
      lease,
      failingForMs: failingForMs === null ? null : Number(failingForMs),
    }));
  });
}

/** Extends a lease. Returns false if somebody else has the lane, or it was stopped. */
export const keepLane = async (
  database: Database,
  { destinationId, lease }: Lane,
  seconds: number,
): Promise<boolean> =>
  (await database('lanes')
    .where({ destination_id: destinationId, lease })
    .whereNull('stopped')
    .update({ lease_until: sqlInSeconds(database, seconds) })) > 0;

/** Gives a lane back, with the time when its next message is due. Nobody takes it for so many seconds. */
export async function releaseLane(
  database: Database,
  { destinationId, lease }: Lane,
  restSeconds: number,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const own = transaction('lanes').where({ destination_id: destinationId, lease });
    // Locks the lane: messages that come from now on set its time after this.
    if (!(await own.clone().forUpdate().first('destination_id'))) return;
    const next = await transaction('messages')
      .where({ destination_id: destinationId, state: 'waiting' })
      .orderBy('due_at')
      .first('due_at');
    const now = sqlNow(transaction);
    const rested = sqlInSeconds(transaction, restSeconds);
    await own.update({
      lease: null,
      lease_until: null,
      due_at: next?.due_at ?? null,
      ...(restSeconds > 0
        ? { probe_at: transaction.raw('GREATEST(COALESCE(probe_at, ?), ?)', [now, rested]) }
        : {}),
    });
  });
}

/** A message that waits. */
export interface WaitingMessage {
  transitionId: number;
  keyId: string;
  isFiltered: boolean;
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

/** Returns what a destination knows of keys. */
export async function beliefsOf(
  database: Database,
  { destinationId }: Pick<Lane, 'destinationId'>,
  keyIds: readonly string[],
): Promise<Map<string, Belief>> {
  const rows = await database('beliefs')
    .where('destination_id', destinationId)
    .whereIn('key_id', keyIds.map(toUuidBinary));
  return new Map(rows.map(toBelief).map((belief) => [belief.keyId, belief]));
}

/** Why a message was not sent, or is not sent again. */
export type EndState = 'delivered' | 'superseded' | 'filtered' | 'expired' | 'dead';

/** Ends messages without a request. Returns false if another worker has the lane: then it decides. */
export async function endMessages(
  database: Database,
  lane: Lane,
  ids: readonly number[],
  { state, reason }: { state: EndState; reason: string },
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    if (!(await hasLease(transaction, lane))) return false;
    await transaction('messages')
      .where({ destination_id: lane.destinationId, state: 'waiting' })
      .whereIn('transition_id', [...ids])
      .update({ state, reason, ended_at: sqlNow(transaction) });
    return true;
  });
}

/**
 * Notes that a request is about to be sent, with the bytes that all its attempts have. Returns false if another worker has the lane, or the
 * destination was deleted or changed, such as paused, since it had this revision.
 */
export async function beginAttempt(
  database: Database,
  { destinationId, lease }: Lane,
  {
    transitionId,
    number,
    body,
    revision,
  }: { transitionId: number; number: number; body: Buffer; revision: number },
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    if (!(await hasLease(transaction, { destinationId, lease }))) return false;
    const own = transaction('destinations').where({ id: destinationId, revision }).whereNull('deleted_at');
    if (!(await own.first('id'))) return false;
    await transaction('messages')
      .where({ destination_id: destinationId, transition_id: transitionId })
      .update({ attempts: number, body });
    await transaction('message_attempts')
      .insert({
        destination_id: destinationId,
        transition_id: transitionId,
        number,
        began_at: sqlNow(transaction),
      })
      .onConflict()
      .merge();
    return true;
  });
}

const hasLease = async (
  transaction: Knex.Transaction,
  { destinationId, lease }: Pick<Lane, 'destinationId' | 'lease'>,
): Promise<boolean> =>
  (await transaction('lanes').where({ destination_id: destinationId, lease }).forUpdate().first('lease')) !==
  undefined;

/** What became of an attempt. */
export interface AttemptResult {
  transitionId: number;
  number: number;
  tookMs: number;
  outcome: string;
  status: number | null;
  response: string | null;
  /** Null: the message ends, as `end` says. */
  againInSeconds: number | null;
  end: EndState | null;
  /** What the destination knows now; null if it is the same as before. */
  belief: Pick<Belief, 'keyId' | 'alertId' | 'isFiring' | 'severity'> | null;
  /** Whether the attempt counts: whether it was the message's or the destination's turn to fail. */
  isCounted: boolean;
  /** How many attempts have failed in a row now, and in how many seconds the next one is allowed; null: as another attempt has said. */
  lane: { failures: number; probeInSeconds: number | null; stopped: string | null } | null;
}

/** Writes what became of an attempt. Returns false if another worker has the lane meanwhile: then it decides. */
export async function endAttempt(database: Database, lane: Lane, result: AttemptResult): Promise<boolean> {
  const { destinationId } = lane;
  const { transitionId, number, end } = result;
  return inTransaction(database, async (transaction) => {
    if (!(await hasLease(transaction, lane))) return false;
    await transaction('message_attempts')
      .where({ destination_id: destinationId, transition_id: transitionId, number })
      .update({
        took_ms: result.tookMs,
        outcome: result.outcome,
        status: result.status,
        response: result.response,
      });
    const now = sqlNow(transaction);
    await transaction('messages')
      .where({ destination_id: destinationId, transition_id: transitionId, state: 'waiting' })
      .update(
        end
          ? { state: end, reason: end === 'delivered' ? null : result.outcome, ended_at: now }
          : {
              due_at: sqlInSeconds(transaction, result.againInSeconds ?? 0),
              ...(result.isCounted ? {} : { attempts: number - 1 }),
            },
      );
    if (result.belief) await writeBelief(transaction, destinationId, result);
    if (!result.lane) return true;
    const { failures, probeInSeconds, stopped } = result.lane;
    await transaction('lanes')
      .where({ destination_id: destinationId })
      .update({
        ...(end === 'delivered' ? { succeeded_at: now } : {}),
        failures,
        stopped,
        probe_at: probeInSeconds === null ? null : sqlInSeconds(transaction, probeInSeconds),
        failing_since: failures === 0 ? null : transaction.raw('COALESCE(failing_since, UTC_TIMESTAMP(3))'),
      });
    return true;
  });
}

async function writeBelief(
  transaction: Knex.Transaction,
  destinationId: string,
  { belief, transitionId }: Pick<AttemptResult, 'belief' | 'transitionId'>,
): Promise<void> {
  if (!belief) return;
  const row = {
    destination_id: destinationId,
    key_id: toUuidBinary(belief.keyId),
    alert_id: toUuidBinary(belief.alertId),
    firing: belief.isFiring ? 1 : 0,
    severity: belief.severity,
    transition_id: transitionId,
    told_at: sqlNow(transaction),
  };
  await transaction('beliefs').insert(row).onConflict().merge();
}
