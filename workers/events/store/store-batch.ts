import type { Database } from '../../../db/client/connect.js';
import { isContentRejected } from '../../../db/client/errors.js';
import { EventRows, type NewEvent } from '../../../db/events/event-rows.js';
import { storeEvents } from '../../../db/events/store-events.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { pacer } from '../../run/pace.js';

/** Where rows come from, should they have to be made again. */
export interface EventSource {
  /** All the events that rows were made of, and maybe others. */
  events(): Promise<readonly IntakeEvent[]>;
  make(event: IntakeEvent): NewEvent;
  /** What is stored of an event when the database refuses what was made of it. */
  quarantine(event: IntakeEvent): NewEvent;
}

/**
 * Stores what was made of events in one write. When the database refuses it for what is in it, each half is tried by
 * itself, down to the one event that is to blame, which is quarantined. Safe to repeat from the start.
 */
export async function storeBatch(database: Database, rows: EventRows, making: EventSource): Promise<void> {
  try {
    await storeEvents(database, rows, async (stored) => {
      const events = await eventsOf(rows, making);
      return rowsOf(
        events.filter(({ id }) => !stored.has(id)),
        making,
      );
    });
  } catch (error) {
    if (!isContentRejected(error)) throw error;
    const events = await eventsOf(rows, making);
    // By the rows, not by the events: of several that were refused others may be no more, and the last is not to blame.
    if (rows.ids.size === 1) for (const event of events) await storeBare(database, making.quarantine(event));
    else await storeHalves(database, events, making);
  }
}

/** From here on the events are held: each half that is refused would read all of them again. */
async function storeHalves(
  database: Database,
  events: readonly IntakeEvent[],
  making: EventSource,
): Promise<void> {
  const middle = events.length >> 1;
  for (const half of [events.slice(0, middle), events.slice(middle)]) {
    const held = { ...making, events: async () => half };
    if (half.length > 0) await storeBatch(database, await rowsOf(half, held), held);
  }
}

/** If even the bare event is refused, the error goes up: the batch is tried again, and nothing is lost. */
async function storeBare(database: Database, event: NewEvent): Promise<void> {
  await storeEvents(database, EventRows.of([event]), async () => new EventRows());
}

/** The events that these rows were made of, each once. */
async function eventsOf({ ids }: EventRows, making: EventSource): Promise<IntakeEvent[]> {
  const events = new Map<string, IntakeEvent>();
  for (const event of await making.events())
    if (ids.has(event.id) && !events.has(event.id)) events.set(event.id, event);
  return [...events.values()];
}

async function rowsOf(events: readonly IntakeEvent[], { make }: EventSource): Promise<EventRows> {
  const rows = new EventRows();
  const pace = pacer();
  for (const event of events) {
    rows.add(make(event));
    const turn = pace();
    if (turn) await turn;
  }
  return rows;
}
