import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../client/connect.js';

/** When a heartbeat is expected: so many seconds after the last one, or at the times of a cron expression in a time zone. */
export type HeartbeatSchedule = { periodSeconds: number } | { cron: string; timeZone: string };

/** A job of another system that is expected to report to an integration. */
export interface Heartbeat {
  webhookId: string;
  /** Unique in its integration. */
  name: string;
  description: string;
  /** Null: nothing is expected of it. Its first ping created it, and nobody has said yet when it is expected. */
  schedule: HeartbeatSchedule | null;
  /** How long it may be late. */
  graceSeconds: number;
  /** How long a run may take; null: that does not matter. */
  maxRunSeconds: number | null;
  /** Of its alerts. */
  severity: string;
  createdAt: Date;
  updatedAt: Date;
}

export type HeartbeatKey = Pick<Heartbeat, 'webhookId' | 'name'>;
export type HeartbeatSettings = Omit<Heartbeat, 'createdAt' | 'updatedAt'>;

/** Returns the heartbeats of an integration by name. */
export async function listHeartbeats(database: Database, webhookId: string): Promise<Heartbeat[]> {
  const rows = await database('heartbeats').where('webhook_id', webhookId).orderBy('name');
  return rows.map(toHeartbeat);
}

/** Returns the heartbeats with these keys that exist. */
export async function findHeartbeats(
  database: Database,
  keys: readonly HeartbeatKey[],
): Promise<Heartbeat[]> {
  if (keys.length === 0) return [];
  const pairs = keys.map(({ webhookId, name }) => [webhookId, name]);
  const rows = await database('heartbeats').whereIn(['webhook_id', 'name'], pairs);
  return rows.map(toHeartbeat);
}

/** Returns the severity of each heartbeat of the integrations that are not deleted. */
export async function heartbeatSeverities(
  database: Database,
): Promise<{ webhookId: string; name: string; severity: string }[]> {
  const rows = await database('heartbeats AS h')
    .join('webhooks AS w', 'w.id', 'h.webhook_id')
    .whereNull('w.deleted_at')
    .select('h.webhook_id', 'h.name', 'h.severity');
  return rows.map(({ webhook_id, name, severity }) => ({ webhookId: webhook_id, name, severity }));
}

/** Counts the heartbeats of an integration. */
export async function countHeartbeats(database: Database, webhookId: string): Promise<number> {
  const [row] = await database('heartbeats').where('webhook_id', webhookId).count({ count: '*' });
  return Number(row?.count);
}

/**
 * Creates a heartbeat, or replaces its settings. Returns whether it is new.
 * @param author null: nobody
 */
export async function saveHeartbeat(
  database: Database,
  heartbeat: HeartbeatSettings,
  author: { id: string; name: string } | null,
): Promise<boolean> {
  const { webhookId, name, schedule } = heartbeat;
  const key = { webhook_id: webhookId, name };
  const now = new Date();
  const settings = {
    description: heartbeat.description,
    period_s: null,
    cron: null,
    time_zone: 'UTC',
    ...(schedule && columnsOf(schedule)),
    grace_s: heartbeat.graceSeconds,
    max_run_s: heartbeat.maxRunSeconds,
    severity: heartbeat.severity,
    updated_at: now,
    saved_by_id: author?.id ?? null,
    saved_by_name: author?.name ?? null,
  };
  const existing = await database('heartbeats').where(key).forUpdate().first('name');
  if (existing) await database('heartbeats').where(key).update(settings);
  else await database('heartbeats').insert({ ...key, ...settings, created_at: now });
  return !existing;
}

const columnsOf = (schedule: HeartbeatSchedule) =>
  'cron' in schedule
    ? { cron: schedule.cron, time_zone: schedule.timeZone }
    : { period_s: schedule.periodSeconds };

/** Deletes a heartbeat, or all of an integration. Returns their number. */
export const deleteHeartbeats = (database: Database, webhookId: string, name?: string): Promise<number> =>
  database('heartbeats')
    .where({ webhook_id: webhookId, ...(name === undefined ? {} : { name }) })
    .delete();

function scheduleOf({ cron, period_s, time_zone }: Tables['heartbeats']): Heartbeat['schedule'] {
  if (cron !== null) return { cron, timeZone: time_zone };
  return period_s === null ? null : { periodSeconds: period_s };
}

const toHeartbeat = (row: Tables['heartbeats']): Heartbeat => ({
  webhookId: row.webhook_id,
  name: row.name,
  description: row.description,
  schedule: scheduleOf(row),
  graceSeconds: row.grace_s,
  maxRunSeconds: row.max_run_s,
  severity: row.severity,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
