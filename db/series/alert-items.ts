import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import type { Deadline } from '../client/deadline.js';
import { tableByIndex } from '../client/driver.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import type { SeriesPosition } from './series.js';
import { seriesId } from './series.js';
import { type ItemRow, PAGE_ITEMS } from './series-items.js';

/** The part of a series that an alert consists of. */
export interface AlertRange {
  webhookId: string;
  seriesKey: string;
  /** When its first item and its last event were received. */
  receivedAt: Date;
  lastEventAt: Date;
  /** When it ended. Its last item has this time, or that of its last event. */
  resolvedAt: Date | null;
}

const lastItemAt = ({ lastEventAt, resolvedAt }: AlertRange): Date =>
  resolvedAt && resolvedAt > lastEventAt ? resolvedAt : lastEventAt;

interface ItemPage {
  /** Of the times of the alert, ascending or descending. */
  order: 'asc' | 'desc';
  /** Start after this position. */
  after: SeriesPosition | null;
  /** See `isTooSlow`. */
  deadline: Deadline;
}

/** The columns of an item; see {@link toItemRow}. */
const ITEM_COLUMNS = [
  'received_at',
  'id',
  'status',
  'state',
  'revision',
  'event_count',
  'ranks',
  'occurrence',
  'is_final',
  'origin',
  'silent_since',
  'severity_rank',
  'custom',
  'faults',
  'title',
  'severity',
  'description',
  'source',
  'service',
  'environment',
  'team',
  'owner_email',
] as const;

/**
 * Returns a page of the items of an alert, without those that changed nothing: at most {@link PAGE_ITEMS}, because each may have many kilobytes. Other items that were received
 * in the same milliseconds as the first and the last one may be among them.
 */
export async function itemsOfAlert(
  database: Database,
  alert: AlertRange,
  { order, after, deadline }: ItemPage,
): Promise<ItemRow[]> {
  const { webhookId, seriesKey, receivedAt } = alert;
  const query = database(tableByIndex(database, 'series_items', 'by_series'))
    .where('series_id', toUuidBinary(seriesId(webhookId, seriesKey)))
    .whereBetween('received_at', [receivedAt, lastItemAt(alert)])
    .whereNot('status', 'like', '-%')
    .limit(PAGE_ITEMS)
    .select(...ITEM_COLUMNS);
  orderByKeyset(query, {
    columns: ['received_at', 'id'],
    order,
    after: after ? [new Date(after.receivedAt), toUuidBinary(after.id)] : undefined,
  });
  return (await selectWithin<SelectedItem>(database, query, deadline.leftMs())).map(toItemRow);
}

/**
 * Returns the place of the item that resolved an alert; null if it is not stored. Items after it that were received in the same millisecond
 * belong to the next alert, or to none.
 */
export async function resolvingItem(
  database: Database,
  alert: AlertRange & { id: string },
  deadline: Deadline,
): Promise<SeriesPosition | null> {
  const { id, webhookId, seriesKey, receivedAt } = alert;
  const end = lastItemAt(alert);
  const query = database(tableByIndex(database, 'series_items', 'by_series'))
    .where('series_id', toUuidBinary(seriesId(webhookId, seriesKey)))
    .where({ received_at: end, status: 'resolved' })
    .orderBy('id')
    .limit(1)
    .select('id');
  if (receivedAt.getTime() === end.getTime()) query.where('id', '>', toUuidBinary(id));
  const [row] = await selectWithin<{ id: Buffer }>(database, query, deadline.leftMs());
  return row ? { id: fromUuidBinary(row.id), receivedAt: end.getTime() } : null;
}

/** Returns those of the items at these places that are stored, the newest first. */
export async function itemsAt(
  database: Database,
  places: readonly SeriesPosition[],
  deadline: Deadline,
): Promise<ItemRow[]> {
  if (places.length === 0) return [];
  const query = database(tableByIndex(database, 'series_items', 'PRIMARY'))
    .orderBy([
      { column: 'received_at', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .select(...ITEM_COLUMNS);
  for (const { receivedAt, id } of places)
    query.orWhere({ received_at: new Date(receivedAt), id: toUuidBinary(id) });
  return (await selectWithin<SelectedItem>(database, query, deadline.leftMs())).map(toItemRow);
}

/** An item as the driver returns it. */
type SelectedItem = Omit<
  ItemRow,
  'receivedAt' | 'id' | 'eventCount' | 'final' | 'silentSince' | 'ownRank' | 'ownerEmail'
> & {
  received_at: Date;
  id: Buffer;
  event_count: number;
  is_final: number;
  silent_since: Date | null;
  severity_rank: number | null;
  owner_email: string | null;
};

const toItemRow = ({
  received_at,
  id,
  event_count,
  is_final,
  silent_since,
  severity_rank,
  owner_email,
  ...row
}: SelectedItem): ItemRow => ({
  ...row,
  receivedAt: received_at.getTime(),
  id: fromUuidBinary(id),
  eventCount: event_count,
  final: is_final === 1,
  silentSince: silent_since?.getTime() ?? null,
  ownRank: severity_rank,
  ownerEmail: owner_email,
});
