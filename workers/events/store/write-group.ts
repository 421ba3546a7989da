import type { Logger } from 'pino';
import type { Database } from '../../../db/client/connect.js';
import { errorCode, isContentRejected } from '../../../db/client/errors.js';
import { EventRows } from '../../../db/events/event-rows.js';
import { insertEvents } from '../../../db/events/insert-events.js';
import { MAX_ROW_BYTES, type NewEvent } from '../../../db/events/new-event.js';
import { hasDestinations } from '../../../db/outbox/outbox.js';
import { updateHeartbeats } from '../../heartbeats/update-heartbeats.js';
import type { IntakeEvent } from '../../queues/contracts/alert-intake.js';
import { pacer } from '../../run/pace.js';
import type { ExpiryRules } from '../series/expiry.js';
import { type Candidate, countRepeated, type Heard } from '../series/repetitions.js';
import { updateSeries } from '../series/update-series.js';
import { withoutAlerts } from './build-event.js';
import type { EventBatch } from './event-batch.js';
import type { FilteredRepetitions } from './filtered-repetitions.js';
import { Tally } from './tally.js';
import { HALVES, type Half, type SeriesOrder } from './write-queue.js';

const MIN_SPLIT_EVENTS = 400;
/** Events that are compared with what is stored at a time. */
const MAX_CANDIDATES = 500;

/** Rows that one transaction writes. */
interface Part {
  rows: EventRows;
  /** Which series it updates. */
  halves: readonly Half[];
  /** The events of the rows, if they are in memory; else they are read from the batches when needed. */
  held?: readonly IntakeEvent[];
}

interface GroupOptions {
  /** When series may be updated. Default: at once. */
  order?: SeriesOrder | undefined;
  /** Groups of fewer events are written in one transaction: two would not be faster. */
  minSplitEvents?: number | undefined;
  expiryRules?: ExpiryRules;
  /** Returns what decides whether an event only repeats what is stored; null if it has to be built. Default: all have to be. */
  peek?: ((event: IntakeEvent) => Heard | null) | undefined;
  /** Default: what a filter drops is stored each time. */
  filteredRepetitions?: FilteredRepetitions;
  /** Reads what `build` needs for the first of these events. Returns how many those are, at least one. */
  prepare?: ((events: readonly IntakeEvent[]) => Promise<number>) | undefined;
}

const NO_ORDER: SeriesOrder = { earlier: async () => {}, ended: () => {} };

/**
 * Batches of events that are written together. If `write` fails, write the batches again in a new group: events that are
 * already stored are left alone.
 *
 * The events of a large group are written in two transactions at the same time, one for each half of the series: a transaction updates series
 * only after those of earlier groups, so with one for each group the database and the worker would mostly wait for each other.
 */
export class WriteGroup {
  /** Counts of the events that were written; complete when `write` resolves. */
  readonly tally = new Tally();
  readonly #database: Database;
  readonly #log: Logger;
  readonly #batches: readonly EventBatch[];
  readonly #build: (event: IntakeEvent) => NewEvent | Promise<NewEvent>;
  readonly #order: SeriesOrder;
  readonly #minSplitEvents: number;
  readonly #expiryRules: ExpiryRules;
  readonly #peek: NonNullable<GroupOptions['peek']>;
  readonly #filteredRepetitions: FilteredRepetitions | undefined;
  readonly #prepare: GroupOptions['prepare'];
  /** Series that have had news. */
  readonly #changed = new Set<string>();
  #tells = false;

  /**
   * @param build maps an event to its rows; called again for an event whose rows must be rebuilt
   */
  constructor(
    { database, log }: { database: Database; log: Logger },
    batches: readonly EventBatch[],
    build: (event: IntakeEvent) => NewEvent | Promise<NewEvent>,
    {
      order = NO_ORDER,
      minSplitEvents = MIN_SPLIT_EVENTS,
      expiryRules = new Map(),
      peek = () => null,
      filteredRepetitions,
      prepare,
    }: GroupOptions = {},
  ) {
    this.#database = database;
    this.#log = log;
    this.#batches = batches;
    this.#build = build;
    this.#order = order;
    this.#minSplitEvents = minSplitEvents;
    this.#expiryRules = expiryRules;
    this.#peek = peek;
    this.#filteredRepetitions = filteredRepetitions;
    this.#prepare = prepare;
  }

  /** Whether changes of alerts were written into the outbox. */
  get tells(): boolean {
    return this.#tells;
  }

  /** Builds the rows of all events and inserts them, in parts of about `MAX_ROW_BYTES`. */
  async write(): Promise<void> {
    // Two calls, so that nothing holds the events while the last parts, usually the only ones, are inserted.
    const lastParts = await this.#writeFullParts();
    await this.#insertAll(lastParts, ({ halves }) => halves.forEach(this.#order.ended));
  }

  async #writeFullParts(): Promise<Parts> {
    const pace = pacer();
    this.#tells = await hasDestinations(this.#database);
    const events = await eventsOf(this.#batches);
    const isSplit = events.length >= this.#minSplitEvents;
    const open: OpenParts = { parts: emptyParts(isSplit, this.#tells), isSplit };
    let candidates: Candidate<IntakeEvent>[] = [];
    let prepared = this.#prepare ? 0 : events.length;
    for (const [index, event] of events.entries()) {
      if (this.#prepare && index >= prepared) {
        await this.#addNews(open, candidates, pace);
        candidates = [];
        prepared += await this.#prepare(events.slice(index));
      }
      this.tally.leave(event);
      const item = this.#expiryRules.get(event.webhookId)?.byEvent ? this.#peek(event) : null;
      const adding = item ? void candidates.push({ event, item }) : this.#addBuilt(open, event);
      if (adding) await adding;
      if (candidates.length >= MAX_CANDIDATES) {
        await this.#addNews(open, candidates, pace);
        candidates = [];
      }
      const paused = pace();
      if (paused) await paused;
    }
    await this.#addNews(open, candidates, pace);
    return open.parts;
  }

  /** Adds those events that do not only repeat what is stored, and counts the others. */
  async #addNews(
    open: OpenParts,
    candidates: readonly Candidate<IntakeEvent>[],
    pace: ReturnType<typeof pacer>,
  ): Promise<void> {
    if (candidates.length === 0) return;
    const repeated = await countRepeated(this.#database, candidates, {
      rules: this.#expiryRules,
      changed: this.#changed,
    });
    for (const { event } of candidates) {
      const adding = repeated.has(event) ? this.tally.repeat() : this.#addBuilt(open, event);
      if (adding) await adding;
      const paused = pace();
      if (paused) await paused;
    }
  }

  /** Waits for all parts, also if one fails. */
  async #insertAll(parts: readonly Part[], ended?: (part: Part) => void): Promise<void> {
    const inserting = parts.map((part) => this.#insert(part).finally(() => ended?.(part)));
    for (const end of await Promise.allSettled(inserting)) if (end.status === 'rejected') throw end.reason;
  }

  /** A method of its own, so that nothing holds the built event while a part is inserted. */
  #addBuilt(open: OpenParts, event: IntakeEvent): Promise<void> | undefined {
    const built = this.#build(event);
    const add = (one: NewEvent): Promise<void> | undefined => {
      if (this.#filteredRepetitions?.has(event, one, this.#expiryRules)) this.tally.repeat();
      else this.#add(open.parts, one);
      return this.#insertFull(open);
    };
    // Most events are built at once: awaiting each of them would yield to the event loop for each.
    return built instanceof Promise ? built.then(add) : add(built);
  }

  /** Undefined while there is room in the parts. */
  #insertFull(open: OpenParts): Promise<void> | undefined {
    const full = open.parts;
    if (full.reduce((sum, { rows }) => sum + rows.size, 0) < MAX_ROW_BYTES) return undefined;
    open.parts = emptyParts(open.isSplit, this.#tells);
    return this.#insertAll(full);
  }

  #add(parts: Parts, event: NewEvent): void {
    this.tally.add(event);
    partOf(parts, event).rows.add(event);
  }

  /**
   * Inserts rows. If the database rejects their content, inserts each half separately, down to the one event that causes the
   * error.
   */
  async #insert(part: Part): Promise<void> {
    try {
      await this.#insertNew(part);
    } catch (error) {
      if (!isContentRejected(error)) throw error;
      const events = await this.#eventsOf(part);
      // Count rows, not events: a batch may be gone by now, and then the only event that is left need not be the cause.
      if (part.rows.receivedAt.size === 1)
        for (const event of events) await this.#insertAlone(event, part.halves);
      else await this.#insertHalves(events, part.halves);
    }
  }

  async #insertNew(part: Part): Promise<void> {
    let left = part.rows;
    while (left.receivedAt.size > 0) {
      const stored = await this.#insertOnce({ ...part, rows: left });
      if (stored.size === 0) return;
      const events = await this.#eventsOf({ ...part, rows: left });
      left = await this.#rowsOf(events.filter(({ id }) => !stored.has(id)));
    }
  }

  #insertOnce({ rows, halves }: Part): Promise<ReadonlySet<string>> {
    const { items, pings } = rows;
    if (items.length === 0 && pings.length === 0) return insertEvents(this.#database, rows);
    return insertEvents(this.#database, rows, async (transaction) => {
      await Promise.all(halves.map(this.#order.earlier));
      await updateSeries(transaction, items, { tells: this.#tells, rules: this.#expiryRules });
      await updateHeartbeats(transaction, pings);
    });
  }

  /**
   * Inserts the event that the database rejected once more, and quarantines it if it is rejected again. A server that is leaving or joining
   * a cluster can reject a row that has no fault.
   */
  async #insertAlone(event: IntakeEvent, halves: Part['halves']): Promise<void> {
    try {
      await this.#insertNew({ rows: await this.#rowsOf([event]), halves, held: [event] });
    } catch (error) {
      if (!isContentRejected(error)) throw error;
      await this.#quarantine(event, error);
    }
  }

  /** Holds the events from here on: otherwise each rejected half would read all batches again. */
  async #insertHalves(events: readonly IntakeEvent[], halves: Part['halves']): Promise<void> {
    const middle = events.length >> 1;
    for (const held of [events.slice(0, middle), events.slice(middle)]) {
      if (held.length > 0) await this.#insert({ rows: await this.#rowsOf(held), halves, held });
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
    await this.#insertOnce({ rows: EventRows.of([bare]), halves: [] });
  }

  /** Returns the events that the rows were built from, the first of each id. */
  async #eventsOf({ rows: { receivedAt }, held }: Part): Promise<IntakeEvent[]> {
    const events = new Map<string, IntakeEvent>();
    for (const event of held ?? (await eventsOf(this.#batches)))
      if (receivedAt.has(event.id) && !events.has(event.id)) events.set(event.id, event);
    return [...events.values()];
  }

  async #rowsOf(events: readonly IntakeEvent[]): Promise<EventRows> {
    const rows = new EventRows(this.#tells);
    const pace = pacer();
    for (const event of events) {
      rows.add(await this.#build(event));
      const paused = pace();
      if (paused) await paused;
    }
    return rows;
  }
}

type Parts = readonly [Part, ...Part[]];

/** The parts to which events are added. */
interface OpenParts {
  parts: Parts;
  isSplit: boolean;
}

const emptyParts = (isSplit: boolean, tells: boolean): Parts =>
  isSplit
    ? [
        { rows: new EventRows(tells), halves: [0] },
        { rows: new EventRows(tells), halves: [1] },
      ]
    : [{ rows: new EventRows(tells), halves: HALVES }];

/**
 * Returns the part of an event: that of its first series. An event with several series may update others of the other half: nothing depends on
 * the order but how often a series is folded again.
 */
function partOf(parts: Parts, { items }: NewEvent): Part {
  // The last digit of the id is as good as random.
  const half = (items[0]?.seriesId.charCodeAt(35) ?? 0) & 1;
  return parts[half] ?? parts[0];
}

const eventsOf = async (batches: readonly EventBatch[]): Promise<readonly IntakeEvent[]> =>
  (await Promise.all(batches.map((batch) => batch.events()))).flat();

const REJECTED_BY_DATABASE = {
  field: null,
  code: 'refused_by_database',
  message: 'The database rejected the alerts of this event. Its body is kept.',
};
