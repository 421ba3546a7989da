import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import { readPrepared, readText } from '../client/statement.js';
import type { NewItem, StoredItemStatus } from '../events/new-event.js';
import type { SeriesPosition, SeriesStart } from './series.js';

/** Items in one page: at most about 7 MB. */
export const PAGE_ITEMS = 100;

/** An item as its row has it. */
export type ItemRow = Omit<NewItem, 'webhookId' | 'dedupKey' | 'seriesId'> & {
  eventCount: number;
  /** Null: an event. */
  origin: 'person' | 'expiry' | null;
  /** Of an expiry: the time of the newest event that it knew of, in milliseconds since 1970. */
  silentSince: number | null;
};

const COLUMNS = `received_at, id, status, state, revision, event_count, ranks, occurrence, is_final, origin, silent_since, severity_rank, custom,
  faults, title, severity, description, source, service, environment, team, owner_email`;

/** Returns the next items of a series in order. `from` is inclusive, `after` exclusive. `limit`: at most {@link PAGE_ITEMS}. */
export async function nextItems(
  transaction: Knex.Transaction,
  seriesId: string,
  start: SeriesStart,
  limit = PAGE_ITEMS,
): Promise<ItemRow[]> {
  const [position, operator] = 'from' in start ? [start.from, '>='] : [start.after, '>'];
  const sql = `SELECT ${COLUMNS} FROM series_items FORCE INDEX (by_series)
    WHERE series_id = ? AND received_at >= ? AND (received_at > ? OR id ${operator} ?)
    ORDER BY received_at, id LIMIT ${Math.min(limit, PAGE_ITEMS)}`;
  const time = new Date(position.receivedAt);
  const values = [toUuidBinary(seriesId), time, time, toUuidBinary(position.id)];
  return (await readPrepared<Row>(transaction, sql, values)).map(toItem);
}

/**
 * Returns the first items of several series, from one position to the time of another: for each, in any order. At most {@link PAGE_ITEMS} each; then there
 * may be more.
 */
export async function itemsWithin(
  transaction: Knex.Transaction,
  ranges: readonly { seriesId: string; from: SeriesPosition; to: SeriesPosition }[],
): Promise<ItemRow[][]> {
  const found: ItemRow[][] = ranges.map(() => []);
  if (ranges.length === 0) return found;
  const one = `(SELECT ${COLUMNS}, ? FROM series_items FORCE INDEX (by_series)
    WHERE series_id = ? AND received_at BETWEEN ? AND ? AND (received_at > ? OR id >= ?) ORDER BY received_at, id LIMIT ${PAGE_ITEMS})`;
  const values = ranges.flatMap(({ seriesId, from, to }, index) => {
    const first = new Date(from.receivedAt);
    return [index, toUuidBinary(seriesId), first, new Date(to.receivedAt), first, toUuidBinary(from.id)];
  });
  const sql = ranges.map(() => one).join(' UNION ALL ');
  for (const row of await readText<Row>(transaction, sql, values))
    found[Number(row.at(-1))]?.push(toItem(row));
  return found;
}

/** Returns the place of the newest item of a series; null if it has none. */
export async function newestItem(
  transaction: Knex.Transaction,
  seriesId: string,
): Promise<SeriesPosition | null> {
  const [row] = await readPrepared<[receivedAt: Date, id: Buffer]>(
    transaction,
    `SELECT received_at, id FROM series_items FORCE INDEX (by_series) WHERE series_id = ?
      ORDER BY received_at DESC, id DESC LIMIT 1`,
    [toUuidBinary(seriesId)],
  );
  return row ? { receivedAt: row[0].getTime(), id: fromUuidBinary(row[1]) } : null;
}

/** Items in one DELETE or UPDATE. */
const CHANGED_AT_ONCE = 100;

/** Deletes items by their primary key. */
export async function deleteItems(
  transaction: Knex.Transaction,
  items: readonly SeriesPosition[],
): Promise<void> {
  for (let start = 0; start < items.length; start += CHANGED_AT_ONCE) {
    const query = transaction('series_items');
    for (const { receivedAt, id } of items.slice(start, start + CHANGED_AT_ONCE))
      query.orWhere({ received_at: new Date(receivedAt), id: toUuidBinary(id) });
    await query.delete();
  }
}

/** Sets the status of items as it is stored, which says whether they changed an alert. */
export async function setStatus(
  transaction: Knex.Transaction,
  items: readonly (SeriesPosition & { status: StoredItemStatus })[],
): Promise<void> {
  for (const status of new Set(items.map((item) => item.status))) {
    const some = items.filter((item) => item.status === status);
    for (let start = 0; start < some.length; start += CHANGED_AT_ONCE) {
      const query = transaction('series_items');
      for (const { receivedAt, id } of some.slice(start, start + CHANGED_AT_ONCE))
        query.orWhere({ received_at: new Date(receivedAt), id: toUuidBinary(id) });
      await query.update({ status });
    }
  }
}

type Text = string | null;
type Row = [
  receivedAt: Date,
  id: Buffer,
  status: ItemRow['status'],
  state: ItemRow['state'],
  revision: number,
  eventCount: number,
  ranks: string,
  occurrence: Text,
  isFinal: number,
  origin: ItemRow['origin'],
  silentSince: Date | null,
  ownRank: number | null,
  custom: Text,
  faults: Text,
  ...texts: [Text, Text, Text, Text, Text, Text, Text, Text],
];

function toItem(row: Row): ItemRow {
  const [receivedAt, id, status, state, revision, eventCount, ranks, occurrence, isFinal, ...rest] = row;
  const [origin, silentSince, ownRank, custom, faults, ...texts] = rest;
  const [title, severity, description, source, service, environment, team, ownerEmail] = texts;
  return {
    receivedAt: receivedAt.getTime(),
    id: fromUuidBinary(id),
    status,
    state,
    revision,
    eventCount,
    ranks,
    occurrence,
    final: isFinal === 1,
    origin,
    silentSince: silentSince?.getTime() ?? null,
    ownRank,
    custom,
    faults,
    title,
    severity,
    description,
    source,
    service,
    environment,
    team,
    ownerEmail,
  };
}
