import type { Database } from '../client/connect.js';
import { sqlInSeconds, sqlNow } from '../client/now.js';
import { inTransaction } from '../client/transaction.js';
import { type Belief, writeBelief } from './beliefs.js';
import { hasLease, type Lane } from './lanes.js';
import type { EndState } from './waiting-messages.js';

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
    if (result.belief) await writeBelief(transaction, { ...result.belief, destinationId, transitionId });
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
