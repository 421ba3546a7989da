import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { sqlInSeconds, sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';

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
  return inTransaction(database, async (transaction) => {
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
  await inTransaction(database, async (transaction) => {
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

/** Locks a lane for a transaction that writes in it. Returns false if another worker has it: then that one decides. */
export const hasLease = async (
  transaction: Knex.Transaction,
  { destinationId, lease }: Pick<Lane, 'destinationId' | 'lease'>,
): Promise<boolean> =>
  (await transaction('lanes').where({ destination_id: destinationId, lease }).forUpdate().first('lease')) !==
  undefined;
