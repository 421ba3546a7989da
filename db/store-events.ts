import type { Knex } from 'knex';
import type { RowDataPacket } from 'mysql2';
import type { Database } from './connect.js';
import { isDuplicateKey } from './errors.js';
import { insertAlertRows, insertEventRows, type NewEvent } from './event-rows.js';
import { fromShortId, toShortId } from './short-id.js';
import { inTransaction } from './transaction.js';

/**
 * Stores events with their alerts, all or none; answers how many were new. An event whose id is there already is left
 * as it is, its alerts too: so a batch may be stored any number of times, by any number of workers at once.
 */
export async function storeEvents(database: Database, events: readonly NewEvent[]): Promise<number> {
  let fresh = eachOnce(events);
  while (fresh.length > 0) {
    try {
      await inTransaction(database, (transaction) => insertAll(transaction, fresh));
      return fresh.length;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      const rest = await withoutStored(database, fresh);
      // Whatever was there twice, it was none of these: to go on would be to go on for ever.
      if (rest.length === fresh.length) throw error;
      fresh = rest;
    }
  }
  return 0;
}

function eachOnce(events: readonly NewEvent[]): readonly NewEvent[] {
  const ids = new Set<string>();
  for (const { id } of events) ids.add(id);
  if (ids.size === events.length) return events;
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

async function insertAll(transaction: Knex.Transaction, events: readonly NewEvent[]): Promise<void> {
  await insertEventRows(transaction, events);
  await insertAlertRows(transaction, events);
}

async function withoutStored(database: Database, events: readonly NewEvent[]): Promise<NewEvent[]> {
  const ids = events.map(({ id }) => toShortId(id));
  const rows: RowDataPacket[] = await database('events').whereIn('id', ids).select('id');
  const stored = new Set(rows.map((row) => fromShortId(row.id)));
  return events.filter(({ id }) => !stored.has(id));
}
