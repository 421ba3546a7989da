import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import { eventIdOf, lastAlertId } from '../events/alerts/alert-id.js';
import { addItem, UPSERTED_ITEMS } from '../events/event-tables.js';
import type { NewItem } from '../events/new-event.js';
import type { TimePosition } from '../events/newest-first.js';

/** An item as it is stored, with the key of its series. */
export interface StoredEventItem extends NewItem {
  /** Above 1 for an item that stands for the expired items of its alert. */
  eventCount: number;
}

/** Returns the items of an integration's events by event id, in the order of their numbers. */
export async function itemsOfEvents(
  transaction: Knex.Transaction,
  webhookId: string,
  events: readonly TimePosition[],
): Promise<Map<string, StoredEventItem[]>> {
  const found = new Map<string, StoredEventItem[]>(events.map(({ id }) => [id, []]));
  if (events.length === 0) return found;
  const query = transaction('series_items AS i')
    .joinRaw('STRAIGHT_JOIN series AS s ON s.id = i.series_id')
    .orderBy('i.id')
    .select('i.*', 's.dedup_key');
  query.where((any) => {
    for (const { id, receivedAt } of events)
      any.orWhere((one) =>
        one
          .where('i.received_at', receivedAt)
          .whereBetween('i.id', [toUuidBinary(id), toUuidBinary(lastAlertId(id))]),
      );
  });
  for (const row of await query) {
    const item = toStoredEventItem(row, webhookId);
    found.get(eventIdOf(item.id))?.push(item);
  }
  return found;
}

const toStoredEventItem = (
  row: Tables['series_items'] & Pick<Tables['series'], 'dedup_key'>,
  webhookId: string,
): StoredEventItem => ({
  id: fromUuidBinary(row.id),
  receivedAt: row.received_at.getTime(),
  webhookId,
  seriesId: fromUuidBinary(row.series_id),
  dedupKey: row.dedup_key,
  status: row.status,
  state: row.state,
  revision: row.revision,
  eventCount: row.event_count,
  ranks: row.ranks,
  ownRank: row.severity_rank,
  occurrence: row.occurrence,
  final: row.is_final === 1,
  title: row.title,
  severity: row.severity,
  description: row.description,
  source: row.source,
  service: row.service,
  environment: row.environment,
  team: row.team,
  ownerEmail: row.owner_email,
  custom: row.custom,
  faults: row.faults,
});

/** Bytes of items that are encoded at a time. */
const PIECE_BYTES = 1_000_000;

/** Inserts items, and overwrites those that are stored. */
export async function upsertItems(transaction: Knex.Transaction, items: readonly NewItem[]): Promise<void> {
  let rows = UPSERTED_ITEMS.rows();
  for (const item of items) {
    addItem(rows, item);
    if (rows.size < PIECE_BYTES) continue;
    await UPSERTED_ITEMS.insert(transaction, rows);
    rows = UPSERTED_ITEMS.rows();
  }
  await UPSERTED_ITEMS.insert(transaction, rows);
}
