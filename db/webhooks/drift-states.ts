import type { Database } from '../client/connect.js';

/** An integration whose events are compared with what its mapping expects. */
export interface DriftWatched {
  id: string;
  name: string;
  /** Of the current mapping. */
  revision: number;
  /** Of its alerts. Null if it is no longer compared. */
  severity: string | null;
  /** Up to which event it was compared, and with which revision; null if it never was. */
  seen: { revision: number; receivedAt: Date; eventId: string } | null;
}

/** Returns the integrations with a mapping that are to be looked at, and those that are no longer. */
export async function listDriftWatched(database: Database, now: Date): Promise<DriftWatched[]> {
  const rows = await database('webhooks')
    .leftJoin('drift_states', 'drift_states.webhook_id', 'webhooks.id')
    .where('webhooks.mapping_revision', '>', 0)
    .where((query) => query.whereNull('drift_states.due_at').orWhere('drift_states.due_at', '<=', now))
    .where((query) =>
      query
        .whereNotNull('drift_states.webhook_id')
        .orWhere((own) => own.whereNotNull('webhooks.drift_severity').whereNull('webhooks.deleted_at')),
    )
    .select({
      id: 'webhooks.id',
      name: 'webhooks.name',
      revision: 'webhooks.mapping_revision',
      severity: 'webhooks.drift_severity',
      deletedAt: 'webhooks.deleted_at',
      seenRevision: 'drift_states.revision',
      receivedAt: 'drift_states.received_at',
      eventId: 'drift_states.event_id',
    });
  return rows.map(({ id, name, revision, severity, deletedAt, seenRevision, receivedAt, eventId }) => ({
    id,
    name,
    revision,
    severity: deletedAt ? null : severity,
    seen: receivedAt ? { revision: seenRevision, receivedAt, eventId } : null,
  }));
}

/** Returns JSON of what the events of an integration looked like, or null. */
export async function findDriftState(
  database: Database,
  webhookId: string,
): Promise<{ revision: number; state: string; receivedAt: Date } | null> {
  const row = await database('drift_states').where({ webhook_id: webhookId }).first();
  return row ? { revision: row.revision, state: row.state, receivedAt: row.received_at } : null;
}

export interface NewDriftState {
  revision: number;
  state: string;
  /** The last event that it includes. */
  last: { receivedAt: Date; id: string };
  /** When to look at the integration again. */
  dueAt: Date;
}

export async function saveDriftState(
  database: Database,
  webhookId: string,
  { revision, state, last, dueAt }: NewDriftState,
): Promise<void> {
  const row = {
    webhook_id: webhookId,
    revision,
    state,
    received_at: last.receivedAt,
    event_id: last.id,
    due_at: dueAt,
  };
  await database('drift_states').insert(row).onConflict().merge();
}

export const deleteDriftState = (database: Database, webhookId: string): Promise<number> =>
  database('drift_states').where({ webhook_id: webhookId }).delete();
