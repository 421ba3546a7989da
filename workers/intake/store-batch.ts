import type { Database } from '../../db/connect.js';
import { isContentRefused } from '../../db/errors.js';
import { EventRows, type NewEvent } from '../../db/event-rows.js';
import { storeEvents } from '../../db/store-events.js';
import type { IntakeEvent } from '../queues/alert-intake.js';

/** What is made of an event: by its mapping, and when the database refuses that. */
export interface Making {
  make(event: IntakeEvent): NewEvent;
  quarantine(event: IntakeEvent): NewEvent;
}

/**
 * Stores events in one write. When the database refuses it for what is in it, each half is tried by itself, down to the
 * one event that is to blame, which is quarantined. Safe to repeat from the start.
 *
 * @param rows what was made of the events already
 */
export async function storeBatch(
  database: Database,
  events: readonly IntakeEvent[],
  making: Making,
  rows = rowsOf(events, making.make),
): Promise<void> {
  try {
    await storeEvents(database, rows, (stored) => {
      const rest = events.filter(({ id }) => !stored.has(id));
      return rowsOf(rest, making.make);
    });
  } catch (error) {
    if (!isContentRefused(error)) throw error;
    // If even the bare event is refused, the error goes up: the batch is tried again, and nothing is lost.
    if (events.length === 1) return storeBare(database, rowsOf(events, making.quarantine));
    const middle = events.length >> 1;
    await storeBatch(database, events.slice(0, middle), making);
    await storeBatch(database, events.slice(middle), making);
  }
}

async function storeBare(database: Database, rows: EventRows): Promise<void> {
  await storeEvents(database, rows, () => new EventRows());
}

const rowsOf = (events: readonly IntakeEvent[], make: Making['make']): EventRows =>
  EventRows.of(events.map(make));
