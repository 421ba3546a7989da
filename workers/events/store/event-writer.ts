import { MissCounts } from '../../lookups/miss-counts.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { gaugeEvents } from '../../queues/intake-gauge.js';
import { queueOfShard } from '../../queues/shards/intake-shards.js';
import type { WorkerServices } from '../../run/services.js';
import { inSpan } from '../../tracing/spans.js';
import type { ExpiryRule } from '../series/expiry.js';
import { buildYielding, peekEvent, withoutAlerts } from './build-event.js';
import { CurrentMappings } from './current-mappings.js';
import { type EventBatch, inMemoryBatch } from './event-batch.js';
import { EventLookups } from './event-lookups.js';
import { FilteredRepetitions } from './filtered-repetitions.js';
import { MappingErrorLog } from './mapping-errors.js';
import type { Tally } from './tally.js';
import { WriteGroup } from './write-group.js';
import { type SeriesOrder, WriteQueue } from './write-queue.js';

/** Maps events to alerts and writes both. One per process. */
export class EventWriter {
  readonly #services: WorkerServices;
  readonly #mappings: CurrentMappings;
  readonly #queue = new WriteQueue((batches, order) => this.#writeGroup(batches, order));
  readonly #mappingErrors: MappingErrorLog;
  readonly #filteredRepetitions = new FilteredRepetitions();
  readonly #lookups: EventLookups;
  readonly #misses: MissCounts;

  constructor(services: WorkerServices) {
    this.#services = services;
    this.#mappings = new CurrentMappings(services.database);
    this.#mappingErrors = new MappingErrorLog(services.log);
    this.#lookups = new EventLookups(services.database);
    this.#misses = new MissCounts(services);
  }

  /** Writes a batch, in one group with other batches of its queue, from any shard. Resolves when the batch is stored. */
  write(queueName: string, batch: EventBatch): Promise<void> {
    return this.#queue.add(queueOfShard(queueName), batch);
  }

  /**
   * Writes events while this process writes no others. Calls `around` with the write, only once the database responds:
   * waiting for the database says nothing about the events.
   */
  writeExclusively(
    events: readonly IntakeEvent[],
    around: (write: () => Promise<void>) => Promise<void>,
  ): Promise<void> {
    return this.#queue.runAlone(async () => {
      await this.#services.database.raw('SELECT 1');
      await around(() => this.#writeGroup([inMemoryBatch(events)]));
    });
  }

  /** Writes an event as failed, without mapping it. */
  quarantine(event: IntakeEvent): Promise<void> {
    const build = () => withoutAlerts(event, 'failed', WORKER_DIED);
    return this.#queue.run(() =>
      this.#write(new WriteGroup(this.#services, [inMemoryBatch([event])], build)),
    );
  }

  async #writeGroup(batches: readonly EventBatch[], order?: SeriesOrder): Promise<void> {
    // This query comes first: if the database is unavailable, the batches still hold their events for the retry.
    const mappings = await this.#mappings.of([...new Set(batches.flatMap(({ webhookIds }) => webhookIds))]);
    const lookups = await this.#lookups.begin(mappings);
    const build =
      lookups?.build ?? ((event: IntakeEvent) => buildYielding(event, mappings.get(event.webhookId)));
    const expiryRules = new Map<string, ExpiryRule>();
    for (const [id, { resolveAfterMs: ms = null, silenceMs = null, mapping }] of mappings) {
      const byEvent = mapping?.fields.some(({ name }) => name === 'expiresAt') ?? false;
      if (ms !== null || byEvent) expiryRules.set(id, { ms, byEvent, silenceMs });
    }
    const filteredRepetitions = this.#filteredRepetitions;
    const peek = (event: IntakeEvent) => peekEvent(event, mappings.get(event.webhookId));
    const options = { order, expiryRules, peek, filteredRepetitions, prepare: lookups?.prepare };
    await this.#write(new WriteGroup(this.#services, batches, build, options));
  }

  async #write(group: WriteGroup): Promise<void> {
    await inSpan('write events', {}, async (span) => {
      await group.write();
      span?.setAttribute('muster.events', group.tally.counts.stored);
    });
    if (group.tells) this.#services.wakeOutbox();
    this.#count(group.tally);
  }

  /** Updates metrics and the intake gauge. They are for information, so a failure must not hold up events. */
  #count({ counts, repeated, arrived, missed, mappingErrors }: Tally): void {
    const { redis, settings, metrics, log } = this.#services;
    metrics.countEvents(counts);
    metrics.countRepeated(repeated);
    for (const [webhookId, { incomplete }] of mappingErrors) metrics.countIncomplete(webhookId, incomplete);
    this.#mappingErrors.count(mappingErrors);
    for (const event of missed) this.#misses.count(event, event.misses ?? []);
    gaugeEvents(redis, settings.redisPrefix, counts, arrived).catch((error: Error) =>
      log.debug({ error: error.message }, 'could not count events'),
    );
  }
}

const WORKER_DIED = {
  field: null,
  code: 'worker_died',
  message: 'Workers crashed repeatedly while they mapped this event alone. Its body is kept.',
};
