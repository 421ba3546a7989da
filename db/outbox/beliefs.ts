import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';

/** What a destination knows of a key. */
export interface Belief {
  destinationId: string;
  keyId: string;
  alertId: string;
  isFiring: boolean;
  severity: string | null;
  transitionId: number;
}

/** Returns what destinations know of keys, also deleted ones, and of which of them they have messages that wait. */
export async function knownOf(
  database: Database,
  keyIds: readonly string[],
): Promise<{ beliefs: Belief[]; waiting: Set<string> }> {
  if (keyIds.length === 0) return { beliefs: [], waiting: new Set() };
  const keys = keyIds.map(toUuidBinary);
  // In this order: what is delivered in between is known then.
  const waiting = await database('messages')
    .whereIn('key_id', keys)
    .where('state', 'waiting')
    .select('destination_id', 'key_id');
  const beliefs = await database('beliefs').whereIn('key_id', keys);
  return {
    beliefs: beliefs.map(toBelief),
    waiting: new Set(waiting.map((row) => `${row.destination_id} ${fromUuidBinary(row.key_id)}`)),
  };
}

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
  const rows = beliefs.map((belief) => ({
    destination_id: belief.destinationId,
    key_id: toUuidBinary(belief.keyId),
    alert_id: toUuidBinary(belief.alertId),
    firing: belief.isFiring ? 1 : 0,
    severity: belief.severity,
    transition_id: belief.transitionId,
    told_at: sqlNow(transaction),
  }));
  await transaction('beliefs').insert(rows).onConflict().merge();
}
