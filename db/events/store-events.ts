import type { Knex } from 'knex';
import type { RowDataPacket } from 'mysql2';
import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { inTransaction } from '../client/transaction.js';
import type { EventRows } from './event-rows.js';

/**
 * Stores events with their alerts, all or none; answers how many were new. An event whose id is there already is left
 * as it is, its alerts too: so a batch may be stored any number of times, by any number of workers at once.
 *
 * @param without makes the rows of those events again that are not among these ids
 */
export async function storeEvents(
  database: Database,
  events: EventRows,
  without: (stored: ReadonlySet<string>) => Promise<EventRows>,
): Promise<number> {
  const stored = new Set<string>();
  let fresh = events;
  while (fresh.ids.size > 0) {
    try {
      await inTransaction(database, (transaction) => insertAll(transaction, fresh));
      return fresh.ids.size;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const known = stored.size;
      for (const id of await storedOf(database, fresh)) stored.add(id);
      // Whatever was there twice, it was none of these: to go on would be to go on for ever.
      if (stored.size === known) throw error;
      fresh = await without(stored);
    }
  }
  return 0;
}

async function insertAll(transaction: Knex.Transaction, events: EventRows): Promise<void> {
  await events.insertEvents(transaction);
  await events.insertAlerts(transaction);
}

async function storedOf(database: Database, { ids }: EventRows): Promise<string[]> {
  const rows: RowDataPacket[] = await database('events')
    .whereIn('id', [...ids].map(toUuidBinary))
    .select('id');
  return rows.map((row) => fromUuidBinary(row.id));
}
