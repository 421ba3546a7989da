import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { orderByKeyset } from '../client/keyset.js';
import { alertId, eventIdOf, lastAlertId } from './alerts/alert-id.js';
import { type Alert, toAlert } from './alerts/alerts.js';
import { EventRows } from './event-rows.js';
import { type EventState, MAPPED_STATES, type StoredInput } from './events.js';
import type { NewEvent } from './new-event.js';
import { arrivalKeyset, receivedAmong, type TimePosition } from './newest-first.js';

/** The events to map again. `to` is exclusive. */
export interface RemapRange {
  webhookId: string;
  from?: Date | undefined;
  to: Date;
}

/** A stored event without its body. */
export interface EventHead extends TimePosition {
  state: EventState;
  alertCount: number;
  keyedCount: number;
  /** Size of its body and of what was looked up for it. */
  bytes: number;
}

/** Counts the events in the range that can be mapped. */
export async function countEvents(database: Database, range: RemapRange): Promise<number> {
  const row = await inRange(database, range).whereIn('state', MAPPED_STATES).count({ count: '*' }).first();
  return Number(row?.count ?? 0);
}

/** Returns when the oldest of so many of the newest events of the range that can be mapped was received; undefined if there are no more. */
export async function timeOfNewest(
  database: Database,
  range: RemapRange,
  number: number,
): Promise<Date | undefined> {
  const query = inRange(database, range).whereIn('state', MAPPED_STATES).select('received_at');
  const [oldest] = await orderByKeyset(query, arrivalKeyset('desc'))
    .limit(1)
    .offset(number - 1);
  return oldest?.received_at;
}

type PlaceRow = Pick<Tables['events'], 'id' | 'received_at' | 'state' | 'alert_count' | 'keyed_count'> & {
  bytes: number;
};

/** Returns the next events of the range, oldest first, or the newest ones, newest first. */
export async function nextEvents(
  database: Database,
  range: RemapRange,
  { limit, after, order = 'asc' }: { limit: number; after: TimePosition | null; order?: 'asc' | 'desc' },
): Promise<EventHead[]> {
  const query = inRange(database, range)
    .whereIn('state', MAPPED_STATES)
    .select('id', 'received_at', 'state', 'alert_count', 'keyed_count')
    .select<PlaceRow[]>(database.raw('LENGTH(raw) + COALESCE(LENGTH(lookups), 0) AS bytes'))
    .limit(limit);
  orderByKeyset(query, arrivalKeyset(order, after));
  return (await query).map((row) => ({
    id: fromUuidBinary(row.id),
    receivedAt: row.received_at,
    state: row.state,
    alertCount: row.alert_count,
    keyedCount: row.keyed_count ?? 0,
    bytes: Number(row.bytes),
  }));
}

/** Returns the ids of events with an incomplete stand-alone alert that were received between the first and the last of these. */
export async function eventsWithIncompleteAlerts(
  database: Database,
  webhookId: string,
  events: readonly TimePosition[],
): Promise<Set<string>> {
  const [first, last] = [events[0], events.at(-1)];
  if (!first || !last) return new Set();
  const rows = await database('alerts')
    .where('webhook_id', toUuidBinary(webhookId))
    .whereBetween('received_at', [first.receivedAt, last.receivedAt])
    .where('state', 'incomplete')
    .whereNull('dedup_key')
    .select('id');
  return new Set(rows.map((row) => eventIdOf(fromUuidBinary(row.id))));
}

/** Returns bodies and requests by event id. Events that have expired are left out. */
export async function eventInputs(
  database: Database,
  places: readonly TimePosition[],
): Promise<Map<string, StoredInput>> {
  const rows = await atPlaces(database('events'), places).select('id', 'raw', 'request', 'lookups');
  return new Map(
    rows.map(({ id, raw, request, lookups }) => [fromUuidBinary(id), { raw, request, lookups }]),
  );
}

/** An event that is locked. */
export interface LockedEvent {
  state: EventState;
  /** How many items with a key it had when it was mapped. */
  keyedCount: number;
}

/** Locks events against other remaps until the transaction ends. Returns those that still exist, by id. */
export async function lockEvents(
  transaction: Knex.Transaction,
  places: readonly TimePosition[],
): Promise<Map<string, LockedEvent>> {
  const rows = await atPlaces(transaction('events'), places)
    .orderBy('id')
    .forUpdate()
    .select('id', 'state', 'keyed_count');
  return new Map(
    rows.map(({ id, state, keyed_count }) => [fromUuidBinary(id), { state, keyedCount: keyed_count ?? 0 }]),
  );
}

/** Returns the stand-alone alerts of events by event id, in the order of their numbers. */
export async function alertsOfEvents(
  transaction: Knex.Transaction,
  places: readonly TimePosition[],
): Promise<Map<string, Alert[]>> {
  if (places.length === 0) return new Map();
  const query = amongPlaces(transaction('alerts'), places).whereNull('dedup_key').orderBy('id');
  query.where((any) => {
    for (const { id } of places)
      any.orWhereBetween('id', [toUuidBinary(alertId(id, 0)), toUuidBinary(lastAlertId(id))]);
  });
  const found = new Map<string, Alert[]>(places.map(({ id }) => [id, []]));
  for (const row of await query) {
    const alert = toAlert(row);
    found.get(alert.eventId)?.push(alert);
  }
  return found;
}

/** Ids in one DELETE. */
const DELETED_AT_ONCE = 1_000;

/**
 * Updates events, overwrites their stand-alone alerts under the same ids, and deletes the stand-alone alerts in `surplus`.
 * Leaves the items of series alone.
 */
export async function replaceAlerts(
  transaction: Knex.Transaction,
  events: readonly NewEvent[],
  surplus: readonly TimePosition[],
): Promise<void> {
  for (const { id, receivedAt, state, revision, alerts, items, faults, filter, lookups = null } of events) {
    const columns = {
      state,
      revision,
      alert_count: alerts.length + items.length,
      keyed_count: items.length || null,
      faults,
      filter_outcome: filter,
      lookups,
    };
    await transaction('events')
      .where({ received_at: new Date(receivedAt), id: toUuidBinary(id) })
      .update(columns);
  }
  await EventRows.of(events).upsertAlerts(transaction);
  for (let start = 0; start < surplus.length; start += DELETED_AT_ONCE) {
    const some = surplus.slice(start, start + DELETED_AT_ONCE);
    await atPlaces(transaction('alerts'), some).whereNull('dedup_key').delete();
  }
}

function atPlaces<Query extends Knex.QueryBuilder>(query: Query, places: readonly TimePosition[]): Query {
  const ids = places.map(({ id }) => toUuidBinary(id));
  amongPlaces(query, places).whereIn('id', ids);
  return query;
}

function amongPlaces<Query extends Knex.QueryBuilder>(query: Query, places: readonly TimePosition[]): Query {
  const times = places.map(({ receivedAt }) => receivedAt.getTime());
  return receivedAmong(query, times);
}

function inRange(database: Database, { webhookId, from, to }: RemapRange) {
  const query = database('events').where('webhook_id', toUuidBinary(webhookId)).where('received_at', '<', to);
  if (from) query.where('received_at', '>=', from);
  return query;
}
