import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { tableByIndex } from '../client/driver.js';
import { orderByKeyset } from '../client/keyset.js';
import { selectWithin } from '../client/limit-time.js';
import type { SeriesPosition } from './series.js';
import { seriesId } from './series-id.js';
import { type ItemRow, PAGE_ITEMS } from './stored-items.js';

/** The part of a series that an alert consists of. */
export interface AlertRange {
  webhookId: string;
  dedupKey: string;
  /** When its first and its last item were received. */
  receivedAt: Date;
  lastEventAt: Date;
}

interface ItemPage {
  /** Of the times of the alert, ascending or descending. */
  order: 'asc' | 'desc';
  /** Start after this position. */
  after: SeriesPosition | null;
  /** Time limit of the query in milliseconds; see `isTooSlow`. */
  withinMs: number;
}

const COLUMNS = [
  'received_at',
  'id',
  'status',
  'state',
  'revision',
  'event_count',
  'ranks',
  'custom',
  'faults',
  'title',
  'severity',
  'description',
  'source',
  'service',
  'environment',
  'team',
] as const;

/**
 * Returns a page of the items of an alert: at most {@link PAGE_ITEMS}, because each may have many kilobytes. Other items that were received
 * in the same milliseconds as the first and the last one may be among them.
 */
export async function itemsOfAlert(
  database: Database,
  { webhookId, dedupKey, receivedAt, lastEventAt }: AlertRange,
  { order, after, withinMs }: ItemPage,
): Promise<ItemRow[]> {
  const query = database(tableByIndex(database, 'series_items', 'by_series'))
    .where('series_id', toUuidBinary(seriesId(webhookId, dedupKey)))
    .whereBetween('received_at', [receivedAt, lastEventAt])
    .limit(PAGE_ITEMS)
    .select(...COLUMNS);
  orderByKeyset(query, {
    columns: ['received_at', 'id'],
    order,
    after: after ? [new Date(after.receivedAt), toUuidBinary(after.id)] : undefined,
  });
  // biome-ignore lint/suspicious/noExplicitAny: a row from the driver gets its type here.
  const rows = await selectWithin<any>(database, query, withinMs);
  return rows.map(({ received_at, id, event_count, ...row }) => ({
    ...row,
    receivedAt: received_at.getTime(),
    id: fromUuidBinary(id),
    eventCount: event_count,
  }));
}
