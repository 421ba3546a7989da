import { EventRows } from '../../../db/events/event-rows.js';
import { MAX_ROW_BYTES } from '../../../db/events/row-size.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { countEvents } from '../../queues/intake-gauge.js';
import { pacer } from '../../run/pace.js';
import type { Services } from '../../run/services.js';
import { buildEvent, withoutAlerts } from './build-event.js';
import { CurrentMappings } from './current-mappings.js';
import { type EventBatch, heldBatch } from './event-batch.js';
import { Gate } from './gate.js';
import { MappingErrorLog } from './mapping-errors.js';
import { type EventSource, storeBatch } from './store-batch.js';
import { Tally } from './tally.js';
import { WriteGroups } from './write-groups.js';

/** Makes alerts of events and stores both. Each queue writes in groups of its own, so that none waits behind the other. */
export class EventStore {
  readonly #services: Services;
  readonly #mappings: CurrentMappings;
  readonly #groups = new Map<string, WriteGroups>();
  readonly #gate = new Gate();
  readonly #mappingErrors: MappingErrorLog;

  constructor(services: Services) {
    this.#services = services;
    this.#mappings = new CurrentMappings(services.database);
    this.#mappingErrors = new MappingErrorLog(services.log);
  }

  /** Resolves when these events of a queue are stored. */
  store(queue: string, batch: EventBatch): Promise<void> {
    let groups = this.#groups.get(queue);
    if (!groups) {
      groups = new WriteGroups((batches) => this.#gate.shared(() => this.#write(batches)));
      this.#groups.set(queue, groups);
    }
    return groups.store(batch);
  }

  /**
   * Stores events while no others are in hand. `around` does that, so that it can tell whether it came to an end; it is
   * called when the database answers, for to wait for that says nothing of the events.
   */
  storeAlone(
    events: readonly IntakeEvent[],
    around: (write: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    return this.#gate.exclusive(async () => {
      await this.#services.database.raw('SELECT 1');
      await around(() => this.#write([heldBatch(events)]));
    });
  }

  /** Stores an event without making anything of it. */
  quarantine(event: IntakeEvent): Promise<void> {
    return this.#gate.shared(async () => {
      const bare = withoutAlerts(event, 'failed', DIED);
      const tally = new Tally();
      tally.add(bare);
      const making = this.#making([heldBatch([event])], tally, () => bare);
      await storeBatch(this.#services.database, EventRows.of([bare]), making);
      this.#count(tally);
    });
  }

  /** In parts, as rows gather. When one fails the others are written again later, which changes nothing. */
  async #write(batches: readonly EventBatch[]): Promise<void> {
    const { rows, making, tally } = await this.#make(batches);
    await storeBatch(this.#services.database, rows, making);
    this.#count(tally);
  }

  /** Makes the rows of batches, and stores full parts of them; answers the last part. The events are let go with its end. */
  async #make(
    batches: readonly EventBatch[],
  ): Promise<{ rows: EventRows; making: EventSource; tally: Tally }> {
    // This asks the database; while that is away the events are not let go, so that no try reads them again.
    const mappings = await this.#mappings.of([...new Set(batches.flatMap(({ webhookIds }) => webhookIds))]);
    const events = await eventsOf(batches);
    const [tally, pace] = [new Tally(), pacer()];
    const make = (event: IntakeEvent) => buildEvent(event, mappings.get(event.webhookId));
    const making = this.#making(batches, tally, make);
    let rows = new EventRows();
    // By a function of its own, so that what it makes is not held while a part is stored.
    const add = (event: IntakeEvent) => {
      const made = making.make(event);
      tally.add(made);
      rows.add(made);
    };
    for (const event of events) {
      add(event);
      if (rows.size >= MAX_ROW_BYTES) {
        await storeBatch(this.#services.database, rows, making);
        rows = new EventRows();
      }
      const turn = pace();
      if (turn) await turn;
    }
    return { rows, making, tally };
  }

  #making(batches: readonly EventBatch[], tally: Tally, make: EventSource['make']): EventSource {
    return {
      events: () => eventsOf(batches),
      make,
      quarantine: (event) => {
        this.#services.log.warn({ eventId: event.id }, 'the database refused an event; it is quarantined');
        const bare = withoutAlerts(event, 'failed', REFUSED);
        tally.take(make(event));
        tally.add(bare);
        return bare;
      },
    };
  }

  /** The counts inform and steer; that they cannot be kept just now must not hold up events. */
  #count({ counts, arrived, mappingErrors }: Tally): void {
    const { redis, settings, metrics, log } = this.#services;
    metrics.countEvents(counts);
    for (const [webhookId, { incomplete }] of mappingErrors) metrics.countIncomplete(webhookId, incomplete);
    this.#mappingErrors.count(mappingErrors);
    countEvents(redis, settings.redisPrefix, counts, arrived).catch((error: Error) =>
      log.debug({ error: error.message }, 'events were not counted'),
    );
  }
}

const REFUSED = {
  field: null,
  code: 'refused_by_database',
  message: 'the database refused what was made of this event; its body is kept',
};

const DIED = {
  field: null,
  code: 'worker_died',
  message: 'workers ended while they made alerts of this event alone, time after time; its body is kept',
};

const eventsOf = async (batches: readonly EventBatch[]): Promise<readonly IntakeEvent[]> =>
  (await Promise.all(batches.map((batch) => batch.events()))).flat();
