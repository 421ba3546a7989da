import type { Tables } from 'knex/types/tables.js';
import { fromUuidBinary, toUuidBinary } from '../../bulk/uuid-binary.js';
import type { Database } from '../../client/connect.js';
import { parseStoredErrors, type StoredError } from '../events.js';
import { eventIdOf } from './alert-id.js';

/** `incomplete`: a required field could not be filled; `faults` lists which and why. */
export const ALERT_STATES = ['complete', 'incomplete'] as const;
export type AlertState = (typeof ALERT_STATES)[number];

/** Whether the problem of an alert with a deduplication key exists or is over; `test`: the sender tested its notifications. */
export const ALERT_STATUSES = ['firing', 'resolved', 'test'] as const;
export type AlertStatus = (typeof ALERT_STATUSES)[number];

/** Who ended an alert: the source, with an event; a person; or Muster, because no event came for as long as its integration says. */
export const RESOLVED_BY = ['event', 'person', 'expiry'] as const;
export type ResolvedBy = (typeof RESOLVED_BY)[number];

/** An alert is made from one event, or from all events of an occurrence: those with the same key until the next resolved one. */
export interface Alert {
  id: string;
  /** Its event, or the first one of the occurrence. */
  eventId: string;
  webhookId: string;
  revision: number;
  state: AlertState;
  /** When its first event was received. */
  receivedAt: Date;
  /** Null without a key, unless it is a test. */
  status: AlertStatus | null;
  /** Null if the alert stands alone, or consists of identical events without a key. */
  dedupKey: string | null;
  /** The key of its series, which may be a generated one; null if the alert stands alone. */
  seriesKey: string | null;
  /** When its last event was received. */
  lastEventAt: Date;
  /** Null while it fires, and if it stands alone. */
  resolvedAt: Date | null;
  /** Null while it fires, if it stands alone, and if an earlier release resolved it. */
  resolvedBy: ResolvedBy | null;
  /** What the event or the person that resolved it said. */
  resolution: string | null;
  /** The most severe severity that it had, and since when. Null if it has none or stands alone. */
  peakSeverity: string | null;
  peakAt: Date | null;
  eventCount: number;
  /** The alert of the series before this one. */
  previousAlertId: string | null;
  title: string | null;
  severity: string | null;
  /** How severe it is, see `rankOf`. */
  severityRank: number;
  description: string | null;
  source: string | null;
  service: string | null;
  environment: string | null;
  team: string | null;
  /** In the form of identities' emails. Who may not read identities sees it masked. */
  ownerEmail: string | null;
  custom: Record<string, string>;
  faults: StoredError[];
}

/** Counts those of the given alerts that have no title. */
export async function countUntitled(database: Database, ids: readonly string[]): Promise<number> {
  const [row] = await database('alerts')
    .whereIn('id', ids.map(toUuidBinary))
    .whereNull('title')
    .count({ count: '*' });
  return Number(row?.count ?? 0);
}

/** Returns an alert; null if it is not stored. It may outlive its event. */
export async function findAlert(database: Database, id: string): Promise<Alert | null> {
  const row = await database('alerts')
    .where({ id: toUuidBinary(id) })
    .first();
  return row ? toAlert(row) : null;
}

function statusOf(row: { dedup_key: string | null; resolved_at: Date | null; is_test: number | null }) {
  if (ownKeyOf(row) === null) return row.is_test === 1 ? 'test' : null;
  return row.resolved_at === null ? 'firing' : 'resolved';
}

const ownKeyOf = ({ dedup_key }: { dedup_key: string | null }): string | null =>
  dedup_key !== null && isGeneratedKey(dedup_key) ? null : dedup_key;

export function toAlert(row: Tables['alerts']): Alert {
  const id = fromUuidBinary(row.id);
  return {
    id,
    eventId: eventIdOf(id),
    webhookId: fromUuidBinary(row.webhook_id),
    revision: row.revision,
    state: row.state,
    receivedAt: row.received_at,
    status: statusOf(row),
    dedupKey: ownKeyOf(row),
    seriesKey: row.dedup_key,
    lastEventAt: row.last_event_at ?? row.received_at,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    resolution: row.resolution,
    peakSeverity: row.peak_severity,
    peakAt: row.peak_at,
    eventCount: row.event_count ?? 1,
    previousAlertId: row.previous_alert_id === null ? null : fromUuidBinary(row.previous_alert_id),
    title: row.title,
    severity: row.severity,
    severityRank: row.severity_rank,
    description: row.description,
    source: row.source,
    service: row.service,
    environment: row.environment,
    team: row.team,
    ownerEmail: row.owner_email,
    custom: row.custom === null ? {} : JSON.parse(row.custom),
    faults: parseStoredErrors(row.faults),
  };
}

/** Returns whether an integration has an alert. */
export async function hasAlerts(database: Database, webhookId: string): Promise<boolean> {
  const row = await database('alerts').where('webhook_id', toUuidBinary(webhookId)).first('id');
  return row !== undefined;
}

/**
 * The key of a series whose items have none, because identical events are counted in it. It starts with a space: a key from a payload never
 * does. It is not shown, and its alerts have no status. Made by `workers/mapping/series/repeat-key.ts`.
 */
export const isGeneratedKey = (key: string): boolean => key.startsWith(' ');

/** The pattern of generated keys for LIKE. */
export const GENERATED_KEYS = ' %';
