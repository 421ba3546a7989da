import type { Database } from '../../../db/client/connect.js';
import type { NewEvent } from '../../../db/events/new-event.js';
import { type FoundRows, RowFinder } from '../../lookups/row-finder.js';
import { keptFirst, parsePayload, storedRequest, visitLookups } from '../../mapping/index.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { pacer } from '../../run/pace.js';
import { buildYielding } from './build-event.js';
import type { CurrentMapping } from './current-mappings.js';

/** Different keys that are looked up together, for many events. */
const MAX_KEYS = 5_000;

/** Maps events with the rows that the lookups of their mappings find. */
export class EventLookups {
  readonly #finder: RowFinder;

  constructor(database: Database) {
    this.#finder = new RowFinder(database);
  }

  /** Starts with tables as they are now. Returns null if no mapping has lookups. */
  async begin(mappings: ReadonlyMap<string, CurrentMapping>): Promise<PreparedLookups | null> {
    const lookups = [...mappings.values()].flatMap(({ mapping }) => mapping?.lookups ?? []);
    return lookups.length === 0 ? null : new PreparedLookups(await this.#finder.begin(lookups), mappings);
  }
}

/** Maps the events of one group. Those of mappings without lookups are mapped as ever. */
export class PreparedLookups {
  readonly #rows: FoundRows;
  readonly #mappings: ReadonlyMap<string, CurrentMapping>;

  constructor(rows: FoundRows, mappings: ReadonlyMap<string, CurrentMapping>) {
    this.#rows = rows;
    this.#mappings = mappings;
  }

  /** Finds the rows of the first events, as many as have 5,000 keys, with one query for each table. What the others need is found one by one. */
  readonly prepare = async (events: readonly IntakeEvent[]): Promise<void> => {
    let end = events.length;
    const pause = pacer();
    await this.#rows.settle(async (source, wanted) => {
      if (this.#rows.isFull) return;
      for (const [index, event] of events.entries()) {
        if (wanted.size >= MAX_KEYS) end = Math.min(end, index);
        if (index >= end) return;
        const mapping = this.#mappings.get(event.webhookId)?.mapping;
        if (!mapping || mapping.lookups.length === 0 || event.rejected || event.ping) continue;
        const payload = event.value ? { value: event.value } : parsePayload(event.raw);
        visitLookups(mapping, payload, storedRequest(event.request), source);
        const paused = pause();
        if (paused) await paused;
      }
    });
  };

  readonly build = (event: IntakeEvent): NewEvent | Promise<NewEvent> => {
    const current = this.#mappings.get(event.webhookId);
    if (!current?.mapping?.lookups.length) return buildYielding(event, current);
    return this.#rows.settle((source) => buildYielding(event, current, source));
  };

  /** Maps an event with the rows that are kept with it: as it was, as far as that depends on tables and owners of accounts. */
  buildAsKept(event: IntakeEvent, kept: string): NewEvent | Promise<NewEvent> {
    const current = this.#mappings.get(event.webhookId);
    return this.#rows.settle((source) => buildYielding(event, current, keptFirst(kept, source)));
  }
}
