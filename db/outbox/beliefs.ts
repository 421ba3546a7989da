import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { executeText } from '../client/statement.js';
import { UNACCEPTED } from './transitions.js';

/** What a destination knows of a key. */
export interface Belief {
  destinationId: string;
  keyId: string;
  alertId: string;
  isFiring: boolean;
  severity: string | null;
  transitionId: number;
}

/** What a destination knows of a key, and for how long. */
export type AgedBelief = Belief & { ageMs: number };

/** A key of a destination. */
type Place = Pick<Belief, 'destinationId' | 'keyId'>;

/**
 * Returns what destinations know of keys, also deleted ones, and of which of them they may know more: of those messages wait, or were sent and not
 * accepted.
 */
export async function knownOf(
  database: Database,
  keyIds: readonly string[],
): Promise<{ beliefs: Belief[]; undecided: Place[] }> {
  if (keyIds.length === 0) return { beliefs: [], undecided: [] };
  const keys = keyIds.map(toUuidBinary);
  // In this order: what is delivered in between is known then.
  const waiting = await database('messages')
    .whereIn('key_id', keys)
    .where('state', 'waiting')
    .select('destination_id', 'key_id');
  const unaccepted = await database('messages')
    .whereIn('key_id', keys)
    .whereIn('state', [...UNACCEPTED])
    .where('attempts', '>', 0)
    .groupBy('destination_id', 'key_id')
    .select('destination_id', 'key_id')
    .max({ newest: 'transition_id' });
  const beliefs = (await database('beliefs').whereIn('key_id', keys)).map(toBelief);
  const nameOf = ({ destinationId, keyId }: Place) => `${destinationId} ${keyId}`;
  const toldBy = new Map(beliefs.map((belief) => [nameOf(belief), belief.transitionId]));
  const sent = unaccepted
    .map((row) => ({ ...placeOf(row), newest: Number(row.newest) }))
    .filter(({ newest, ...place }) => newest > (toldBy.get(nameOf(place)) ?? 0));
  return { beliefs, undecided: [...waiting.map(placeOf), ...sent] };
}

const placeOf = (row: { destination_id: string; key_id: Buffer }): Place => ({
  destinationId: row.destination_id,
  keyId: fromUuidBinary(row.key_id),
});

export const toBelief = (row: {
  destination_id: string;
  key_id: Buffer;
  alert_id: Buffer;
  firing: number;
  severity: string | null;
  transition_id: number | string;
}): Belief => ({
  destinationId: row.destination_id,
  keyId: fromUuidBinary(row.key_id),
  alertId: fromUuidBinary(row.alert_id),
  isFiring: row.firing === 1,
  severity: row.severity,
  transitionId: Number(row.transition_id),
});

/** Notes what destinations know now. */
export async function writeBeliefs(transaction: Knex.Transaction, beliefs: readonly Belief[]): Promise<void> {
  if (beliefs.length === 0) return;
  const rows = beliefs.map(() => '(?,?,?,?,?,?,UTC_TIMESTAMP(3),UTC_TIMESTAMP(3))').join();
  const values = beliefs.flatMap((belief) => [
    ...[belief.destinationId, toUuidBinary(belief.keyId), toUuidBinary(belief.alertId)],
    ...[belief.isFiring ? 1 : 0, belief.severity, belief.transitionId],
  ]);
  const sql = `INSERT INTO beliefs (destination_id, key_id, alert_id, firing, severity, transition_id, told_at, repeat_from)
    VALUES ${rows} ON DUPLICATE KEY UPDATE alert_id = VALUES(alert_id), firing = VALUES(firing), severity = VALUES(severity),
    transition_id = VALUES(transition_id), told_at = VALUES(told_at), repeat_from = VALUES(repeat_from)`;
  await executeText(transaction, sql, values);
}
