import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { Deadline } from '../client/deadline.js';
import { tableByIndex } from '../client/driver.js';
import { selectWithin } from '../client/limit-time.js';
import { alertId, eventIdOf, lastAlertId } from '../events/alerts/alert-id.js';
import type { StoredItemStatus } from '../events/new-event.js';
import type { TimePosition } from '../events/newest-first.js';

/** An item with a deduplication key, and its place in its series. */
export interface KeyedItem {
  id: string;
  dedupKey: string;
  status: StoredItemStatus;
  /** Whether the items before it in the series left an alert firing. */
  wasFiring: boolean;
  /** The newest alert of the series that starts with this item or before it. Null if there is none. */
  alertId: string | null;
}

/** The items of an event: those whose ids follow the first id, up to the last one. */
export interface ItemRange {
  receivedAt: Date;
  first: string;
  last: string;
}

interface ItemRow {
  received_at: Date;
  id: Buffer;
  series_id: Buffer;
  status: KeyedItem['status'];
  dedup_key: string;
}

interface Place {
  was_firing: number | null;
  alert_id: Buffer | null;
}

/** Places are looked up in statements of at most so many items. */
const PLACES = 200;

/**
 * Returns the items of events that have a key, in the order of their ids.
 * @throws an error for which `isTooSlow` is true after the deadline
 *
 * The place of an item costs two lookups in an index, however long its series is: with joined tables, the server would read a series from
 * its end.
 */
export async function findKeyedItems(
  database: Database,
  events: readonly ItemRange[],
  deadline: Deadline,
): Promise<KeyedItem[]> {
  if (events.length === 0) return [];
  const rows = await selectWithin<ItemRow>(database, selectItems(database, events), deadline.leftMs());
  const items: KeyedItem[] = [];
  for (let start = 0; start < rows.length; start += PLACES) {
    const some = rows.slice(start, start + PLACES);
    const places = await selectWithin<Place>(database, selectPlaces(database, some), deadline.leftMs());
    items.push(...some.map((row, index) => toKeyedItem(row, places[index])));
  }
  return items;
}

function selectItems(database: Database, events: readonly ItemRange[]): Knex.QueryBuilder {
  // Without a hint, the optimizer may start with the series and read all of its items.
  const query = database(tableByIndex(database, 'series_items', 'PRIMARY'))
    .joinRaw('STRAIGHT_JOIN series ON series.id = series_items.series_id')
    .orderBy('series_items.id')
    .select(
      'series_items.received_at',
      'series_items.id',
      'series_items.series_id',
      'series_items.status',
      'series.dedup_key',
    );
  for (const { receivedAt, first, last } of events) {
    query.orWhere((one) => {
      one.where('series_items.received_at', receivedAt);
      one.whereBetween('series_items.id', [toUuidBinary(first), toUuidBinary(last)]);
    });
  }
  return query;
}

const BEFORE = 'series_id = ? AND (received_at < ? OR (received_at = ? AND id';
const NEWEST = 'ORDER BY received_at DESC';
/** Selects the place of one item. As text, because the query builder takes a millisecond for each item. */
const PLACE = `SELECT ? AS number,
  (SELECT status <> 'resolved' FROM series_items WHERE ${BEFORE} < ?)) AND status NOT LIKE '-%' ${NEWEST}, id DESC LIMIT 1) AS was_firing,
  (SELECT alert_id FROM series_alerts WHERE ${BEFORE.replace('AND id', 'AND alert_id')} <= ?)) ${NEWEST}, alert_id DESC LIMIT 1) AS alert_id`;

/** Selects the place of each item, in the order of the items. */
function selectPlaces(database: Database, items: readonly ItemRow[]): Knex.QueryBuilder {
  const sql = items.map(() => PLACE).join(' UNION ALL ');
  const values = items.flatMap(({ series_id, received_at, id }, number) => {
    const position = [series_id, received_at, received_at, id];
    return [number, ...position, ...position];
  });
  return database
    .from(database.raw(`(${sql}) AS places`, values))
    .orderBy('number')
    .select('was_firing', 'alert_id');
}

const toKeyedItem = ({ id, dedup_key, status }: ItemRow, place: Place | undefined): KeyedItem => ({
  id: fromUuidBinary(id),
  dedupKey: dedup_key,
  status,
  wasFiring: place?.was_firing === 1,
  alertId: place?.alert_id ? fromUuidBinary(place.alert_id) : null,
});

const WITHIN_MS = 60_000;

/** Returns the ids of those events that have an item in an incomplete alert. */
export async function eventsOfIncompleteAlerts(
  database: Database,
  events: readonly TimePosition[],
): Promise<Set<string>> {
  const places = events.map(({ receivedAt, id }) => ({
    receivedAt,
    first: alertId(id, 0),
    last: lastAlertId(id),
  }));
  const items = await findKeyedItems(database, places, new Deadline(WITHIN_MS));
  const parts = items.filter(
    ({ status, wasFiring }) => !status.startsWith('-') && (status !== 'resolved' || wasFiring),
  );
  const alertIds = [...new Set(parts.flatMap((item) => item.alertId ?? []))];
  const rows = await database('alerts')
    .whereIn('id', alertIds.map(toUuidBinary))
    .where('state', 'incomplete')
    .select('id');
  const incomplete = new Set(rows.map(({ id }) => fromUuidBinary(id)));

  return new Set(parts.filter((item) => incomplete.has(item.alertId ?? '')).map(({ id }) => eventIdOf(id)));
}
