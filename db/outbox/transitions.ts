import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { sqlNow } from '../client/now.js';

/** A transition with the alert as it was then. `finished`: a job that has ended, in place of an alert; it is of no integration. */
export interface StoredTransition {
  id: number;
  kind: 'fired' | 'changed' | 'resolved' | 'repeated' | 'finished';
  webhookId: string;
  alertId: string;
  /** JSON. */
  alert: string;
}

/** Waiting, or how it ended: `filtered` and `superseded` were never sent, `digested` as part of another one. */
export const MESSAGE_STATES = [
  'waiting',
  'delivered',
  'digested',
  'superseded',
  'filtered',
  'muted',
  'expired',
  'dead',
  'canceled',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

/** How messages end that may have been sent, but were not accepted as far as anybody knows. */
export const UNACCEPTED = ['superseded', 'expired', 'dead'] as const satisfies readonly MessageState[];

/** A message that is made of a transition. */
export interface NewMessage {
  destinationId: string;
  transitionId: number;
  /** The series, or the alert that stands alone. */
  keyId: string;
  /** Others than `waiting` end at once. `filtered`: it is about the destination itself. */
  state: 'waiting' | 'muted' | 'filtered';
  /** Whether the destination wants it only if it was told of the alert before. */
  isFiltered: boolean;
  /** Which clause of the filter it is filtered by, or why the filter could not decide. */
  detail: string | null;
  waitSeconds: number;
}

export async function insertTransitions(
  transaction: Knex.Transaction,
  transitions: readonly StoredTransition[],
): Promise<void> {
  let [rows, bytes]: [object[], number] = [[], 0];
  for (const { id, kind, webhookId, alertId, alert } of transitions) {
    rows.push({
      id,
      kind,
      created_at: sqlNow(transaction),
      webhook_id: toUuidBinary(webhookId),
      alert_id: toUuidBinary(alertId),
      alert,
    });
    bytes += Buffer.byteLength(alert);
    if (bytes < STATEMENT_BYTES) continue;
    await transaction('transitions').insert(rows);
    [rows, bytes] = [[], 0];
  }
  if (rows.length > 0) await transaction('transitions').insert(rows);
}

/** Long alerts together may exceed what the database accepts in one statement. */
const STATEMENT_BYTES = 1_000_000;

const AT_ONCE = 500;
const REASONS = { waiting: null, muted: 'muted', filtered: 'own_trouble' };

/** Inserts messages, and says in the lanes of their destinations that there is work. */
export async function insertMessages(
  transaction: Knex.Transaction,
  messages: readonly NewMessage[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += AT_ONCE) {
    const rows = messages.slice(start, start + AT_ONCE).map((message) => ({
      destination_id: message.destinationId,
      transition_id: message.transitionId,
      key_id: toUuidBinary(message.keyId),
      state: message.state,
      reason: REASONS[message.state],
      is_filtered: message.isFiltered ? 1 : 0,
      detail: message.detail,
      attempts: 0,
      due_at: transaction.raw('UTC_TIMESTAMP(3) + INTERVAL ? SECOND', [message.waitSeconds]),
      ended_at: message.state === 'waiting' ? null : sqlNow(transaction),
    }));
    await transaction('messages').insert(rows);
  }
  const waiting = messages.filter(({ state }) => state === 'waiting');
  const ids = [...new Set(waiting.map(({ destinationId }) => destinationId))].sort();
  if (ids.length === 0) return;
  await transaction('lanes')
    .whereIn('destination_id', ids)
    .update({ due_at: transaction.raw('LEAST(COALESCE(due_at, UTC_TIMESTAMP(3)), UTC_TIMESTAMP(3))') });
}

/** Returns the alert of the newest message about a key, as JSON; null if there is none. */
export async function lastTold(database: Database, keyId: string): Promise<string | null> {
  const row = await database('messages')
    .join('transitions', 'transitions.id', 'messages.transition_id')
    .whereIn('destination_id', database('destinations').whereNull('deleted_at').select('id'))
    .where('key_id', toUuidBinary(keyId))
    .orderBy('transition_id', 'desc')
    .first('alert');
  return row?.alert ?? null;
}
