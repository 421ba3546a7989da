import { fromUuidBinary, toUuidBinary } from '../bulk/uuid-binary.js';
import type { Database } from '../client/connect.js';
import { isDuplicateKey } from '../client/errors.js';
import { inTransaction } from '../client/transaction.js';
import type { EventRows } from './event-rows.js';

/**
 * Inserts events and their alerts in one transaction, all or none. An event that is already stored stays as it is, with its
 * alerts, so any number of workers may insert the same events at the same time, any number of times.
 *
 * @returns the ids of the events that are already stored. If there are any, nothing was inserted: try again without them
 */
export async function insertEvents(database: Database, rows: EventRows): Promise<ReadonlySet<string>> {
  try {
    await inTransaction(database, (transaction) => rows.insert(transaction));
    return new Set();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const stored = await storedIds(database, rows.ids);
    // Another key is the duplicate: the next attempt would fail in the same way.
    if (stored.size === 0) throw error;
    return stored;
  }
}

/** Returns the given ids under which an event is stored, spelled as they were given: upper and lower case are the same id. */
async function storedIds(database: Database, ids: ReadonlySet<string>): Promise<Set<string>> {
  const rows = await database('events')
    .whereIn('id', [...ids].map(toUuidBinary))
    .select('id');
  const stored = new Set(rows.map(({ id }) => fromUuidBinary(id)));
  return new Set([...ids].filter((id) => stored.has(fromUuidBinary(toUuidBinary(id)))));
}
