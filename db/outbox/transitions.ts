import type { Knex } from 'knex';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { executeText } from '../client/statement.js';
import { chunksOf } from './places.js';

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
  for (const group of chunksOf(transitions, AT_ONCE, ({ alert }) => Buffer.byteLength(alert))) {
    const rows = group.map(() => '(?,?,UTC_TIMESTAMP(3),?,?,?)').join();
    const values = group.flatMap(({ id, kind, webhookId, alertId, alert }) => [
      ...[id, kind, toUuidBinary(webhookId), toUuidBinary(alertId), alert],
    ]);
    const sql = `INSERT INTO transitions (id, kind, created_at, webhook_id, alert_id, alert) VALUES ${rows}`;
    await executeText(transaction, sql, values);
  }
}

const AT_ONCE = 500;
const REASONS = { waiting: null, muted: 'muted', filtered: 'own_trouble' };

/** Inserts messages, and says in the lanes of their destinations that there is work. */
export async function insertMessages(
  transaction: Knex.Transaction,
  messages: readonly NewMessage[],
): Promise<void> {
  for (let start = 0; start < messages.length; start += AT_ONCE) {
    const some = messages.slice(start, start + AT_ONCE);
    const rows = some.map(
      () => '(?,?,?,?,?,?,?,0,UTC_TIMESTAMP(3) + INTERVAL ? SECOND,IF(?,NULL,UTC_TIMESTAMP(3)))',
    );
    const values = some.flatMap((message) => [
      ...[message.destinationId, message.transitionId, toUuidBinary(message.keyId)],
      ...[message.state, REASONS[message.state], message.isFiltered ? 1 : 0, message.detail],
      ...[message.waitSeconds, message.state === 'waiting' ? 1 : 0],
    ]);
    const sql = `INSERT INTO messages (destination_id, transition_id, key_id, state, reason, is_filtered, detail,
      attempts, due_at, ended_at) VALUES ${rows.join()}`;
    await executeText(transaction, sql, values);
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
