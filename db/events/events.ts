import type { Tables } from 'knex/types/tables.js';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import { type FilterOutcome, parseFilterOutcome } from './filter-outcome.js';
import {
  arrivalKeyset,
  newestFirst,
  readMergedPage,
  type TimeFilters,
  type TimePage,
} from './newest-first.js';

/**
 * The outcome of an event. `normalized`: its alerts are stored (an empty list has none). `filtered`: the filter of the
 * mapping dropped all of it. `failed`: no alerts could be made. `rejected`: the intake rejected it and told the sender. Two kinds are not mapped:
 * `ping`, of a heartbeat, and `internal`, which Muster made itself, such as the silence of a source.
 */
export const EVENT_STATES = ['normalized', 'filtered', 'failed', 'rejected', 'ping', 'internal'] as const;
export type EventState = (typeof EVENT_STATES)[number];

/** Those of events that the mapping reads. Of rejected events only the start of the body is stored. */
export const MAPPED_STATES = ['normalized', 'filtered', 'failed'] as const satisfies readonly EventState[];

/** Why an event has no alerts, or why an alert is incomplete. */
export interface StoredError {
  field: string | null;
  code: string;
  message: string;
}

export interface StoredEvent {
  id: string;
  webhookId: string;
  receivedAt: Date;
  state: EventState;
  /** The mapping revision that it was normalized with; 0 if there was none. */
  revision: number;
  /** Its items. Items with the same key may be one alert, or belong to an alert of an earlier event. */
  alertCount: number;
  /** Its items with a deduplication key. */
  keyedCount: number;
  faults: StoredError[];
  /** Null if the mapping has no filter, or the filter kept everything without a warning. */
  filter: FilterOutcome | null;
  /** Size of the body as it was sent. */
  bytes: number;
}

export type EventFilters = TimeFilters;

const COLUMNS = [
  'id',
  'webhook_id',
  'received_at',
  'state',
  'revision',
  'alert_count',
  'keyed_count',
  'faults',
  'filter_outcome',
] as const;

/** Returns a page of events, newest first, without their bodies. */
export async function listEvents(
  database: Database,
  filters: EventFilters,
  page: TimePage,
): Promise<StoredEvent[]> {
  const bytes = database.raw('LENGTH(raw) AS bytes');
  const rows = await readMergedPage<EventRow, EventFilters>(database, filters, page, async (own) => ({
    query: newestFirst(database, 'events', own, page).select(...COLUMNS, bytes),
  }));
  return rows.map(toEvent);
}

/** Counts the events that match the filters. The query may take `withinMs`; see `isTooSlow`. */
export async function countListedEvents(
  database: Database,
  filters: EventFilters,
  withinMs: number,
): Promise<number> {
  const query = newestFirst(database, 'events', filters, { limit: 1 })
    .clearOrder()
    .clear('limit')
    .count({ total: '*' });
  const [row] = await selectWithin<{ total: number }>(database, query, withinMs);
  return Number(row?.total ?? 0);
}

/** What the sender sent. */
export interface StoredInput {
  /** The body. */
  raw: Buffer;
  /** JSON of the request without its body; null for events of older releases. */
  request: string | null;
  /** JSON of what was looked up for it; null if nothing was. */
  lookups: string | null;
}

/** Returns an event with what was sent; null if it is not stored. */
export async function findEvent(
  database: Database,
  id: string,
): Promise<({ event: StoredEvent } & StoredInput) | null> {
  const row = await database('events')
    .where({ id: toUuidBinary(id) })
    .first<(EventRow & StoredInput) | undefined>(
      ...COLUMNS,
      'raw',
      'request',
      'lookups',
      database.raw('LENGTH(raw) AS bytes'),
    );
  return row ? { event: toEvent(row), raw: row.raw, request: row.request, lookups: row.lookups } : null;
}

/** Returns the ids of an integration's newest events that a mapping reads. */
export async function newestEventIds(
  database: Database,
  webhookId: string,
  limit: number,
): Promise<string[]> {
  const query = database('events')
    .where('webhook_id', toUuidBinary(webhookId))
    .whereIn('state', MAPPED_STATES)
    .limit(limit)
    .select('id');
  const rows = await orderByKeyset(query, arrivalKeyset('desc'));
  return rows.map(({ id }) => fromUuidBinary(id));
}

/** Returns those of the given events that belong to the integration and that a mapping reads, newest first. */
export async function ownEventIds(
  database: Database,
  webhookId: string,
  ids: readonly string[],
): Promise<string[]> {
  const query = database('events')
    .whereIn('id', ids.map(toUuidBinary))
    .where('webhook_id', toUuidBinary(webhookId))
    .whereIn('state', MAPPED_STATES)
    .select('id');
  const rows = await orderByKeyset(query, arrivalKeyset('desc'));
  return rows.map(({ id }) => fromUuidBinary(id));
}

/** Parses errors, which are stored as JSON. */
export const parseStoredErrors = (text: string | null): StoredError[] =>
  text === null ? [] : JSON.parse(text);

type EventRow = Pick<Tables['events'], (typeof COLUMNS)[number]> & { bytes: number };

const toEvent = (row: EventRow): StoredEvent => ({
  id: fromUuidBinary(row.id),
  webhookId: fromUuidBinary(row.webhook_id),
  receivedAt: row.received_at,
  state: row.state,
  revision: row.revision,
  alertCount: row.alert_count,
  keyedCount: row.keyed_count ?? 0,
  faults: parseStoredErrors(row.faults),
  filter: parseFilterOutcome(row.filter_outcome),
  bytes: Number(row.bytes),
});
