import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';
import type { Lane } from './lanes.js';

/** What a destination knows of a key. */
export interface Belief {
  destinationId: string;
  keyId: string;
  alertId: string;
  isFiring: boolean;
  severity: string | null;
  transitionId: number;
}

/** Returns what destinations know of keys, and of which of them they have messages that wait. */
export async function knownOf(
  database: Database,
  keyIds: readonly string[],
): Promise<{ beliefs: Belief[]; waiting: Set<string> }> {
  if (keyIds.length === 0) return { beliefs: [], waiting: new Set() };
  const keys = keyIds.map(toUuidBinary);
  const destinations = database('destinations').whereNull('deleted_at').select('id');
  // In this order: what is delivered in between is known then.
  const waiting = await database('messages')
    .whereIn('destination_id', destinations.clone())
    .whereIn('key_id', keys)
    .where('state', 'waiting')
    .select('destination_id', 'key_id');
  const beliefs = await database('beliefs')
    .whereIn('destination_id', destinations.clone())
    .whereIn('key_id', keys);
  return {
    beliefs: beliefs.map(toBelief),
    waiting: new Set(waiting.map((row) => `${row.destination_id} ${fromUuidBinary(row.key_id)}`)),
  };
}

const toBelief = (row: {
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

/** Notes what a destination knows now. */
export async function writeBelief(
  transaction: Knex.Transaction,
  { destinationId, keyId, alertId, isFiring, severity, transitionId }: Belief,
): Promise<void> {
  const row = {
    destination_id: destinationId,
    key_id: toUuidBinary(keyId),
    alert_id: toUuidBinary(alertId),
    firing: isFiring ? 1 : 0,
    severity,
    transition_id: transitionId,
    told_at: sqlNow(transaction),
  };
  await transaction('beliefs').insert(row).onConflict().merge();
}
