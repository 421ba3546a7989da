import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';
import type { HeartbeatKey } from './heartbeats.js';

/** What is wrong with a heartbeat that has an alert without a ping: no ping came in time, or a run takes too long. */
export const HEARTBEAT_PROBLEMS = ['late', 'overrun'] as const;
export type HeartbeatProblem = (typeof HEARTBEAT_PROBLEMS)[number];

/** What a heartbeat reported last. Times in milliseconds since 1970. */
export interface HeartbeatState {
  succeededAt: number | null;
  startedAt: number | null;
  failedAt: number | null;
  /** Of the last failure, if it had one. */
  exitStatus: number | null;
  /** What Muster raised an alert for since its last ping. */
  raised: { problem: HeartbeatProblem; at: number } | null;
  /** When Muster resolved what it had raised, as there was no such problem. Null while something is raised. */
  clearedAt: number | null;
  /** When to check whether it has a problem; null: after its next ping. */
  dueAt: number | null;
}

export const NEW_HEARTBEAT: HeartbeatState = {
  succeededAt: null,
  startedAt: null,
  failedAt: null,
  exitStatus: null,
  raised: null,
  clearedAt: null,
  dueAt: null,
};

export type KeyedState = HeartbeatKey & { state: HeartbeatState };

/** Returns the states of an integration's heartbeats, or of one of them, by name. */
export async function heartbeatStates(
  database: Database,
  webhookId: string,
  name?: string,
): Promise<Map<string, HeartbeatState>> {
  const rows = await database('heartbeat_states').where({
    webhook_id: webhookId,
    ...(name === undefined ? {} : { name }),
  });
  return new Map(rows.map((row) => [row.name, toState(row)]));
}

/** Locks the states of heartbeats until the transaction ends, and returns those that are stored. */
export async function lockStates(
  transaction: Knex.Transaction,
  keys: readonly HeartbeatKey[],
): Promise<KeyedState[]> {
  const pairs = keys.map(({ webhookId, name }) => [webhookId, name]);
  const rows = await transaction('heartbeat_states')
    .whereIn(['webhook_id', 'name'], pairs)
    .orderBy(['webhook_id', 'name'])
    .forUpdate();
  return rows.map(keyed);
}

/** Inserts or overwrites states. */
export async function saveStates(
  transaction: Knex.Transaction,
  states: readonly KeyedState[],
): Promise<void> {
  if (states.length === 0) return;
  const date = (ms: number | null) => (ms === null ? null : new Date(ms));
  const rows = states.map(({ webhookId, name, state }) => ({
    webhook_id: webhookId,
    name,
    succeeded_at: date(state.succeededAt),
    started_at: date(state.startedAt),
    failed_at: date(state.failedAt),
    exit_status: state.exitStatus,
    raised: state.raised?.problem ?? null,
    raised_at: date(state.raised?.at ?? state.clearedAt),
    due_at: date(state.dueAt),
  }));
  await transaction('heartbeat_states').insert(rows).onConflict(['webhook_id', 'name']).merge();
}

/** Returns states that are due at a time, the longest due first, and after a position. */
export async function dueStates(
  database: Database,
  until: Date,
  { after, limit }: { after: KeyedState | null; limit: number },
): Promise<KeyedState[]> {
  const query = database('heartbeat_states')
    .where('due_at', '<=', until)
    .orderBy(['due_at', 'webhook_id', 'name'])
    .limit(limit);
  if (after) {
    const due = new Date(after.state.dueAt ?? 0);
    query.where((either) => {
      either
        .where('due_at', '>', due)
        .orWhere((tie) => tie.where('due_at', due).where('webhook_id', '>', after.webhookId))
        .orWhere((tie) =>
          tie.where({ due_at: due, webhook_id: after.webhookId }).where('name', '>', after.name),
        );
    });
  }
  return (await query).map(keyed);
}

/** Makes a heartbeat due now, because its settings changed. */
export const checkNow = (database: Database, { webhookId, name }: HeartbeatKey): Promise<number> =>
  database('heartbeat_states')
    .where({ webhook_id: webhookId, name })
    .update({ due_at: new Date(0) });

/**
 * Makes a deleted heartbeat due, or all of a deleted integration, once every ping that other hosts still accept for some seconds counts as
 * stored: a failure among them opens an alert.
 */
export const checkDeleted = (database: Database, webhookId: string, name?: string): Promise<number> =>
  database('heartbeat_states')
    .where({ webhook_id: webhookId, ...(name === undefined ? {} : { name }) })
    .update({ due_at: database.raw('UTC_TIMESTAMP(3) + INTERVAL 10 SECOND') });

/** Deletes the state of a heartbeat. */
export const deleteState = (database: Database, { webhookId, name }: HeartbeatKey): Promise<number> =>
  database('heartbeat_states').where({ webhook_id: webhookId, name }).delete();

const keyed = (row: Tables['heartbeat_states']): KeyedState => ({
  webhookId: row.webhook_id,
  name: row.name,
  state: toState(row),
});

const toState = (row: Tables['heartbeat_states']): HeartbeatState => ({
  succeededAt: row.succeeded_at?.getTime() ?? null,
  startedAt: row.started_at?.getTime() ?? null,
  failedAt: row.failed_at?.getTime() ?? null,
  exitStatus: row.exit_status,
  raised: row.raised && row.raised_at ? { problem: row.raised, at: row.raised_at.getTime() } : null,
  clearedAt: row.raised ? null : (row.raised_at?.getTime() ?? null),
  dueAt: row.due_at?.getTime() ?? null,
});
