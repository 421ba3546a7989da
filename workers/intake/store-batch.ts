import type { Database } from '../../db/connect.js';
import { isContentRefused } from '../../db/errors.js';
import type { NewEvent } from '../../db/event-rows.js';
import { storeEvents } from '../../db/store-events.js';

/**
 * Stores events in one write. When the database refuses it for what is in it, each half is tried by itself, down to the
 * one event that is to blame, which is handed to `quarantine`. Safe to repeat from the start.
 */
export async function storeBatch(
  database: Database,
  events: readonly NewEvent[],
  quarantine: (eventId: string) => NewEvent,
): Promise<void> {
  try {
    await storeEvents(database, events);
  } catch (error) {
    if (!isContentRefused(error)) throw error;
    const [first] = events;
    // If even the bare event is refused, the error goes up: the batch is tried again, and nothing is lost.
    if (events.length === 1 && first) return void (await storeEvents(database, [quarantine(first.id)]));
    const middle = events.length >> 1;
    await storeBatch(database, events.slice(0, middle), quarantine);
    await storeBatch(database, events.slice(middle), quarantine);
  }
}
