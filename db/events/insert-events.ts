import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { inTransaction } from '../client/transaction.js';
import { eventIdOf, isDeliveryId } from './alerts/alert-id.js';
import type { EventRows } from './event-rows.js';
import type { NewItem } from './new-event.js';
import { receivedAmong } from './newest-first.js';

/** How often rows are inserted that are duplicates of rows which nobody can see. */
const DUPLICATE_ATTEMPTS = 3;
const DUPLICATE_PAUSE_MS = 100;

/**
 * Inserts events, their alerts and items in one transaction, all or none. An event that is already stored stays as it is, with
 * its alerts, so any number of workers may insert the same events at the same time, any number of times.
 *
 * @param update runs at the end of the transaction, and again whenever the transaction is repeated
 * @returns the ids of the events that are already stored. If there are any, nothing was inserted: try again without them
 */
export async function insertEvents(
  database: Database,
  rows: EventRows,
  update?: (transaction: Knex.Transaction) => Promise<void>,
): Promise<ReadonlySet<string>> {
  for (let attempt = 1; ; attempt++) {
    try {
      await inTransaction(database, async (transaction) => {
        await rows.insert(transaction);
        await update?.(transaction);
      });
      return new Set();
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const stored = await storedIds(database, rows);
      if (stored.size > 0) return stored;
      // Perhaps the other row was being removed, or taken back by its node of a cluster. If not, another key is the duplicate.
      if (attempt === DUPLICATE_ATTEMPTS) throw error;
      await sleep(attempt * DUPLICATE_PAUSE_MS);
    }
  }
}

/**
 * Returns the ids of the stored events, spelled as they were given: upper and lower case are the same id. Items outlive their events, so
 * an event that is sent again after it expired is stored if its items are. A delivery is stored whenever it was received before.
 */
async function storedIds(database: Database, { receivedAt, items }: EventRows): Promise<Set<string>> {
  const ids = [...receivedAt.keys()];
  const stored = new Set([
    ...(await storedEvents(database, receivedAt)),
    ...(await storedDeliveries(database, ids.filter(isDeliveryId))),
  ]);
  for (const item of await storedItems(database, items)) stored.add(eventIdOf(item));
  return new Set(ids.filter((id) => stored.has(fromUuidBinary(toUuidBinary(id)))));
}

async function storedEvents(database: Database, receivedAt: ReadonlyMap<string, number>): Promise<string[]> {
  const query = database('events').whereIn('id', [...receivedAt.keys()].map(toUuidBinary));
  const rows = await receivedAmong(query, [...receivedAt.values()]).select('id');
  return rows.map(({ id }) => fromUuidBinary(id));
}

async function storedDeliveries(database: Database, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await database('deliveries').whereIn('id', ids.map(toUuidBinary)).select('id');
  return rows.map(({ id }) => fromUuidBinary(id));
}

/** Returns the ids of those items that are stored. */
async function storedItems(database: Database, items: readonly NewItem[]): Promise<string[]> {
  const stored: string[] = [];
  for (const receivedAt of new Set(items.map((item) => item.receivedAt))) {
    const ids = items.filter((item) => item.receivedAt === receivedAt).map(({ id }) => toUuidBinary(id));
    const query = database('series_items').where('received_at', new Date(receivedAt)).whereIn('id', ids);
    for (const { id } of await query.select('id')) stored.push(fromUuidBinary(id));
  }
  return stored;
}
