import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import { executeText, readText } from '../client/statement.js';
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

/** One consistent read: what is delivered meanwhile is known, or still waits. */
const KNOWN = `SELECT 'waiting', destination_id, key_id, NULL, NULL, NULL, NULL FROM messages WHERE key_id IN (?) AND state = 'waiting'
  UNION ALL SELECT 'sent', destination_id, key_id, MAX(transition_id), NULL, NULL, NULL FROM messages
    WHERE key_id IN (?) AND state IN (?) AND attempts > 0 GROUP BY destination_id, key_id
  UNION ALL SELECT 'known', destination_id, key_id, transition_id, alert_id, firing, severity FROM beliefs WHERE key_id IN (?)`;

type KnownRow = [
  what: 'waiting' | 'sent' | 'known',
  destination_id: string,
  key_id: Buffer,
  transition_id: number | string | null,
  alert_id: Buffer | null,
  firing: number | null,
  severity: string | null,
];

/**
 * Returns what destinations know of keys, also deleted ones, and of which of them they may know more: of those messages wait, or were sent and not
 * accepted.
 */
export async function knownOf(
  transaction: Knex.Transaction,
  keyIds: readonly string[],
): Promise<{ beliefs: Belief[]; undecided: Place[] }> {
  if (keyIds.length === 0) return { beliefs: [], undecided: [] };
  const keys = keyIds.map(toUuidBinary);
  const rows = await readText<KnownRow>(transaction, KNOWN, [keys, keys, UNACCEPTED, keys]);
  const beliefs: Belief[] = [];
  const toldBy = new Map<string, number>();
  const nameOf = ({ destinationId, keyId }: Place) => `${destinationId} ${keyId}`;
  for (const [, destination_id, key_id, transition_id, alert_id, firing, severity] of rows) {
    if (alert_id === null || transition_id === null || firing === null) continue;
    const belief = toBelief({ destination_id, key_id, alert_id, firing, severity, transition_id });
    beliefs.push(belief);
    toldBy.set(nameOf(belief), belief.transitionId);
  }
  const undecided: Place[] = [];
  for (const [what, destinationId, key, newest] of rows) {
    const place = { destinationId, keyId: fromUuidBinary(key) };
    if (what === 'waiting' || (what === 'sent' && Number(newest) > (toldBy.get(nameOf(place)) ?? 0)))
      undecided.push(place);
  }
  return { beliefs, undecided };
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
