import type { Logger } from 'pino';
import type { Database } from '../../../db/client/connect.js';
import { errorCode, isContentRejected } from '../../../db/client/errors.js';
import { EventRows } from '../../../db/events/event-rows.js';
import { insertEvents } from '../../../db/events/insert-events.js';
import { MAX_ROW_BYTES, type NewEvent } from '../../../db/events/new-event.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { pacer } from '../../run/pace.js';
import { updateSeries } from '../series/update-series.js';
import { withoutAlerts } from './build-event.js';
import type { EventBatch } from './event-batch.js';
import { Tally } from './tally.js';

/**
 * Batches of events that are written together. If `write` fails, write the batches again in a new group: events that are
 * already stored are left alone.
 */
export class WriteGroup {
  /** Counts of the events that were written; complete when `write` resolves. */
  readonly tally = new Tally();
  readonly #database: Database;
  readonly #log: Logger;
  readonly #batches: readonly EventBatch[];
  readonly #build: (event: IntakeEvent) => NewEvent | Promise<NewEvent>;
  readonly #earlier: () => Promise<void>;

  /**
   * @param build maps an event to its rows; called again for an event whose rows must be rebuilt
   * @param earlier resolves when series may be updated. Default: at once
   */
  constructor(
    { database, log }: { database: Database; log: Logger },
    batches: readonly EventBatch[],
    build: (event: IntakeEvent) => NewEvent | Promise<NewEvent>,
    earlier = async () => {},
  ) {
    this.#database = database;
    this.#log = log;
    this.#batches = batches;
    this.#build = build;
    this.#earlier = earlier;
  }

  /** Builds the rows of all events and inserts them, in parts of about `MAX_ROW_BYTES`. */
  async write(): Promise<void> {
    // Two calls, so that nothing holds the events while the last part, usually the only one, is inserted.
    const lastPart = await this.#writeFullParts();
    await this.#insert(lastPart);
  }

  async #writeFullParts(): Promise<EventRows> {
    const pace = pacer();
    let rows = new EventRows();
    for (const event of await eventsOf(this.#batches)) {
      const adding = this.#addTo(rows, event);
      if (adding) await adding;
      if (rows.size >= MAX_ROW_BYTES) {
        await this.#insert(rows);
        rows = new EventRows();
      }
      const paused = pace();
      if (paused) await paused;
    }
    return rows;
  }

  /** A method of its own, so that nothing holds the built event while a part is inserted. */
  #addTo(rows: EventRows, event: IntakeEvent): Promise<void> | null {
    const built = this.#build(event);
    const add = (one: NewEvent): void => {
      this.tally.add(one);
      rows.add(one);
    };
    // Most events are built at once: awaiting each of them would yield to the event loop for each.
    if (built instanceof Promise) return built.then(add);
    add(built);
    return null;
  }

  /**
   * Inserts rows. If the database rejects their content, inserts each half separately, down to the one event that causes the
   * error.
   *
   * @param held the events of the rows, if they are in memory; else they are read from the batches when needed
   */
  async #insert(rows: EventRows, held?: readonly IntakeEvent[]): Promise<void> {
    try {
      await this.#insertNew(rows, held);
    } catch (error) {
      if (!isContentRejected(error)) throw error;
      const events = await this.#eventsOf(rows, held);
      // Count rows, not events: a batch may be gone by now, and then the only event that is left need not be the cause.
      if (rows.receivedAt.size === 1) for (const event of events) await this.#insertAlone(event);
      else await this.#insertHalves(events);
    }
  }

  async #insertNew(rows: EventRows, held?: readonly IntakeEvent[]): Promise<void> {
    let left = rows;
    while (left.receivedAt.size > 0) {
      const stored = await this.#insertOnce(left);
      if (stored.size === 0) return;
      const events = await this.#eventsOf(left, held);
      left = await this.#rowsOf(events.filter(({ id }) => !stored.has(id)));
    }
  }

  #insertOnce(rows: EventRows): Promise<ReadonlySet<string>> {
    const { items } = rows;
    if (items.length === 0) return insertEvents(this.#database, rows);
    return insertEvents(this.#database, rows, async (transaction) => {
      await this.#earlier();
      await updateSeries(transaction, items);
    });
  }

  /**
   * Inserts the event that the database rejected once more, and quarantines it if it is rejected again. A server that is leaving or joining
   * a cluster can reject a row that has no fault.
   */
  async #insertAlone(event: IntakeEvent): Promise<void> {
    try {
      await this.#insertNew(await this.#rowsOf([event]), [event]);
    } catch (error) {
      if (!isContentRejected(error)) throw error;
      await this.#quarantine(event, error);
    }
  }

  /** Holds the events from here on: otherwise each rejected half would read all batches again. */
  async #insertHalves(events: readonly IntakeEvent[]): Promise<void> {
    const middle = events.length >> 1;
    for (const half of [events.slice(0, middle), events.slice(middle)]) {
      if (half.length > 0) await this.#insert(await this.#rowsOf(half), half);
    }
  }

  /** Stores only the event's body and the error. If that is rejected too, throws: the batch is retried and nothing is lost. */
  async #quarantine(event: IntakeEvent, error: unknown): Promise<void> {
    this.#log.warn(
      { eventId: event.id, code: errorCode(error) },
      'the database rejected the alerts of an event; it is quarantined',
    );
    const bare = withoutAlerts(event, 'failed', REJECTED_BY_DATABASE);
    this.tally.take(await this.#build(event));
    this.tally.add(bare);
    await this.#insertOnce(EventRows.of([bare]));
  }

  /** Returns the events that the rows were built from, the first of each id. */
  async #eventsOf({ receivedAt }: EventRows, held?: readonly IntakeEvent[]): Promise<IntakeEvent[]> {
    const events = new Map<string, IntakeEvent>();
    for (const event of held ?? (await eventsOf(this.#batches)))
      if (receivedAt.has(event.id) && !events.has(event.id)) events.set(event.id, event);
    return [...events.values()];
  }

  async #rowsOf(events: readonly IntakeEvent[]): Promise<EventRows> {
    const rows = new EventRows();
    const pace = pacer();
    for (const event of events) {
      rows.add(await this.#build(event));
      const paused = pace();
      if (paused) await paused;
    }
    return rows;
  }
}

const eventsOf = async (batches: readonly EventBatch[]): Promise<readonly IntakeEvent[]> =>
  (await Promise.all(batches.map((batch) => batch.events()))).flat();

const REJECTED_BY_DATABASE = {
  field: null,
  code: 'refused_by_database',
  message: 'The database rejected the alerts of this event. Its body is kept.',
};
