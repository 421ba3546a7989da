import { EventRows, type NewEvent } from '../../db/event-rows.js';
import { pacer } from '../identities/pace.js';
import type { IntakeEvent } from '../queues/alert-intake.js';
import { countEvents } from '../queues/intake-gauge.js';
import type { Services } from '../services.js';
import { CurrentMappings } from './current-mappings.js';
import { Gate } from './gate.js';
import { type Making, storeBatch } from './store-batch.js';
import { toStoredEvent, withoutAlerts } from './to-stored.js';
import { WriteGroups } from './write-groups.js';

/** Of what was made of events, in hand at a time, about: a body of 18 KB may become a thousand alerts of 16 KB each. */
const MOST_PART_BYTES = 4 * 1024 * 1024;

/** Makes alerts of events and stores both. Each queue writes in groups of its own, so that none waits behind the other. */
export class EventStore {
  readonly #services: Services;
  readonly #mappings: CurrentMappings;
  readonly #groups = new Map<string, WriteGroups>();
  readonly #gate = new Gate();

  constructor(services: Services) {
    this.#services = services;
    this.#mappings = new CurrentMappings(services.database);
  }

  /** Resolves when these events of a queue are stored. */
  store(queue: string, events: readonly IntakeEvent[]): Promise<void> {
    let groups = this.#groups.get(queue);
    if (!groups) {
      groups = new WriteGroups((group) => this.#gate.share(() => this.#write(group)));
      this.#groups.set(queue, groups);
    }
    return groups.store(events);
  }

  /**
   * Stores events while no others are in hand. `around` does that, so that it can tell whether it came to an end; it is
   * called when the database answers, for to wait for that says nothing of the events.
   */
  storeAlone(
    events: readonly IntakeEvent[],
    around: (write: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    return this.#gate.alone(async () => {
      await this.#services.database.raw('SELECT 1');
      await around(() => this.#write(events));
    });
  }

  /** Stores an event without making anything of it. */
  quarantine(event: IntakeEvent): Promise<void> {
    return this.#gate.share(async () => {
      const making = this.#making((one) => withoutAlerts(one, 'failed', DIED));
      await storeBatch(this.#services.database, [event], making);
      const tally = new Tally();
      tally.add(making.make(event));
      this.#count(tally);
    });
  }

  /** In parts, as rows gather. When one fails the others are written again later, which changes nothing. */
  async #write(events: readonly IntakeEvent[]): Promise<void> {
    const mappings = await this.#mappings.of([...new Set(events.map(({ webhookId }) => webhookId))]);
    const making = this.#making((event) => toStoredEvent(event, mappings.get(event.webhookId)));
    const tally = new Tally();
    const pace = pacer();
    let [rows, start] = [new EventRows(), 0];
    for (let place = 0; place < events.length; place++) {
      const event = events[place] as IntakeEvent;
      const made = making.make(event);
      tally.add(made);
      rows.add(made);
      if (rows.size >= MOST_PART_BYTES) {
        await storeBatch(this.#services.database, events.slice(start, place + 1), making, rows);
        [rows, start] = [new EventRows(), place + 1];
      }
      const turn = pace();
      if (turn) await turn;
    }
    if (start < events.length) await storeBatch(this.#services.database, events.slice(start), making, rows);
    this.#count(tally);
  }

  #making(make: Making['make']): Making {
    return {
      make,
      quarantine: (event) => {
        this.#services.log.warn({ eventId: event.id }, 'the database refused an event; it is quarantined');
        return withoutAlerts(event, 'failed', REFUSED);
      },
    };
  }

  /** The counts inform and steer; that they cannot be kept just now must not hold up events. */
  #count({ counts, arrived }: Tally): void {
    const { redis, settings, metrics, log } = this.#services;
    metrics.countEvents(counts);
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

/** What a group of events came to, in numbers. */
class Tally {
  readonly counts = { stored: 0, failed: 0, alerts: 0 };
  /** How many fewer of each integration are on their way. */
  readonly arrived = new Map<string, number>();

  add({ webhookId, state, alerts }: NewEvent): void {
    this.counts.stored += 1;
    this.counts.alerts += alerts.length;
    if (state === 'failed') this.counts.failed += 1;
    this.arrived.set(webhookId, (this.arrived.get(webhookId) ?? 0) - 1);
  }
}
