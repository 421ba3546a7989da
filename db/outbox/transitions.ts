import type { Knex } from 'knex';
import { BulkTable } from '../bulk/table.js';
import { toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { executeText } from '../client/statement.js';

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
  /** For how long it waits before it is sent. */
  waitMs: number;
}

const TRANSITIONS = new BulkTable(
  'transitions',
  { id: 'number', kind: 'text', webhook_id: 'id', alert_id: 'id', alert: 'text' },
  '',
  { constants: { created_at: 'UTC_TIMESTAMP(3)' } },
);

export function insertTransitions(
  transaction: Knex.Transaction,
  transitions: readonly StoredTransition[],
): Promise<void> {
  const rows = TRANSITIONS.rows();
  for (const { id, kind, webhookId, alertId, alert } of transitions) {
    rows.number(id);
    rows.text(kind);
    rows.sharedId(webhookId);
    rows.id(alertId);
    rows.text(alert);
    rows.endRow();
  }
  return TRANSITIONS.insert(transaction, rows);
}

const REASONS = { waiting: null, muted: 'muted', filtered: 'own_trouble' };
const MESSAGES = new BulkTable(
  'messages',
  {
    destination_id: 'text',
    transition_id: 'number',
    key_id: 'id',
    state: 'text',
    reason: 'text',
    is_filtered: 'number',
    detail: 'text',
    due_at: 'number',
    ended_at: 'number',
  },
  '',
  {
    constants: { attempts: '0' },
    expressions: {
      due_at: 'UTC_TIMESTAMP(3) + INTERVAL ? MICROSECOND',
      ended_at: 'IF(?, UTC_TIMESTAMP(3), NULL)',
    },
  },
);

/** Inserts messages, and says in the lanes of their destinations that there is work. */
export async function insertMessages(
  transaction: Knex.Transaction,
  messages: readonly NewMessage[],
): Promise<void> {
  const rows = MESSAGES.rows();
  const waiting = new Set<string>();
  for (const { destinationId, transitionId, keyId, state, isFiltered, detail, waitMs } of messages) {
    if (state === 'waiting') waiting.add(destinationId);
    rows.text(destinationId);
    rows.number(transitionId);
    rows.id(keyId);
    rows.text(state);
    rows.text(REASONS[state]);
    rows.number(isFiltered ? 1 : 0);
    rows.text(detail);
    rows.number(1_000 * waitMs);
    rows.number(state === 'waiting' ? 0 : 1);
    rows.endRow();
  }
  await MESSAGES.insert(transaction, rows);
  if (waiting.size === 0) return;
  await executeText(
    transaction,
    'UPDATE lanes SET due_at = LEAST(COALESCE(due_at, UTC_TIMESTAMP(3)), UTC_TIMESTAMP(3)) WHERE destination_id IN (?)',
    [[...waiting].sort()],
  );
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
