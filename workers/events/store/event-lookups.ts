import type { Database } from '../../../db/client/connect.js';
import type { NewEvent } from '../../../db/events/new-event.js';
import { type FoundRows, RowFinder } from '../../lookups/row-finder.js';
import {
  keptFirst,
  type LookupSource,
  lookupKeys,
  parsePayload,
  storedRequest,
} from '../../mapping/index.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { pacer } from '../../run/pace.js';
import { buildYielding, type ReadEvent } from './build-event.js';
import type { CurrentMapping } from './current-mappings.js';

/** Different keys that are looked up together, for many events. */
const MAX_KEYS = 5_000;
/** Events whose parsed payloads are held until they are mapped, and the characters of their bodies. */
const MAX_EVENTS = 200;
const MAX_CHARACTERS = 2_000_000;

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
  /** Of the events that were prepared last and not mapped since. */
  readonly #read = new Map<IntakeEvent, ReadEvent>();

  constructor(rows: FoundRows, mappings: ReadonlyMap<string, CurrentMapping>) {
    this.#rows = rows;
    this.#mappings = mappings;
  }

  /**
   * Finds the rows of the first events, as many as have 5,000 keys that are not known, with one query for each table and once more for each
   * lookup whose key depends on another. Returns how many events those are. What is not found then, because it is too much, is found one by one.
   */
  readonly prepare = async (events: readonly IntakeEvent[]): Promise<number> => {
    this.#read.clear();
    if (this.#rows.isFull) this.#rows.makeRoom();
    let end = endOfPortion(events);
    let open = [...events.slice(0, end).entries()];
    const pause = pacer();
    await this.#rows.settle(async (source, wanted) => {
      const again: typeof open = [];
      if (this.#rows.isFull) return;
      for (const [index, event] of open) {
        if (index >= end) break;
        if (this.#readKeys(event, source, wanted)) again.push([index, event]);
        if (wanted.size >= MAX_KEYS) end = index + 1;
        const paused = pause();
        if (paused) await paused;
      }
      open = again;
    });
    return end;
  };

  /** Returns whether keys of the event depend on rows that are not known yet. */
  #readKeys(event: IntakeEvent, source: LookupSource, wanted: { readonly asked: number }): boolean {
    const mapping = this.#mappings.get(event.webhookId)?.mapping;
    if (!mapping || mapping.lookups.length === 0 || event.rejected || event.ping) return false;
    const payload = this.#read.get(event)?.payload ?? payloadOf(event);
    const before = wanted.asked;
    const keys = lookupKeys(mapping, payload, storedRequest(event.request), source);
    const isOpen = wanted.asked > before && mapping.lookups.some(({ usesLookup }) => usesLookup);
    // Without its rows, a key may be another one, such as the second path of `lookup.service.team|webhook.team`.
    this.#read.set(event, { payload, keys: isOpen ? [] : keys });
    return isOpen;
  }

  readonly build = (event: IntakeEvent): NewEvent | Promise<NewEvent> => {
    const current = this.#mappings.get(event.webhookId);
    if (!current?.mapping?.lookups.length) return buildYielding(event, current);
    const read = this.#read.get(event);
    this.#read.delete(event);
    return this.#rows.settle((source) => buildYielding(event, current, source, read));
  };

  /** Maps an event with the rows that are kept with it: as it was, as far as that depends on tables and owners of accounts. */
  buildAsKept(event: IntakeEvent, kept: string): NewEvent | Promise<NewEvent> {
    const current = this.#mappings.get(event.webhookId);
    return this.#rows.settle((source) => buildYielding(event, current, keptFirst(kept, source)));
  }
}

function payloadOf(event: IntakeEvent): ReadEvent['payload'] {
  // Of an event of a list, it is made each time.
  const { value } = event;
  return value ? { value } : parsePayload(event.raw);
}

/** Returns where the first events end that are looked up together. */
function endOfPortion(events: readonly IntakeEvent[]): number {
  let characters = 0;
  const end = events.findIndex((event, index) => {
    // The body of an event of a list is written when it is read.
    characters += event.size ?? event.raw.length;
    return index >= MAX_EVENTS || (index > 0 && characters > MAX_CHARACTERS);
  });
  return end < 0 ? events.length : end;
}
