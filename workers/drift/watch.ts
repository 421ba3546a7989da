import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../db/client/connect.js';
import { type EventHead, eventInputs, nextEvents } from '../../db/events/events-to-remap.js';
import {
  type DriftWatched,
  deleteDriftState,
  findDriftState,
  listDriftWatched,
  saveDriftState,
} from '../../db/webhooks/drift-states.js';
import { CurrentMappings } from '../events/store/current-mappings.js';
import { type Report, storeReports } from '../events/store/report.js';
import { type CompiledMapping, lookedUpPaths, renamedPath } from '../mapping/index.js';
import {
  type DriftState,
  NEW_STATE,
  type Problem,
  parseDriftState,
  type Sign,
  seeEvent,
  withMapping,
} from './drift-state.js';
import { driftOver, driftReport } from './report-drift.js';
import { payloadOf, readEvent } from './see-event.js';

/** The newest events that are looked at, at most so many and so many bytes at a time. */
const MAX_EVENTS = 200;
const MAX_BYTES = 8 * 1024 * 1024;
/** After how long an integration is looked at again that had more events than that. All others are looked at in each turn. */
const PAUSE_MS = 10 * 60_000;

interface Seen {
  state: DriftState;
  signs: Sign[];
}

const NO_BODY = Buffer.alloc(0);

interface Services {
  database: Database;
  log: Logger;
}

/**
 * Compares new events with what the mappings of their integrations expect, and reports where they no longer fit. Yields after each integration
 * how many reports it stored. Looking at the same events again gives the same reports, which are stored once.
 */
export async function* watchDrift(services: Services, now: Date): AsyncGenerator<number, void> {
  const mappings = new CurrentMappings(services.database);
  for (const watched of await listDriftWatched(services.database, now)) {
    const look = new Look(services, watched, now);
    const reports =
      watched.severity === null ? await look.end() : await look.compare(watched.severity, mappings);
    yield reports;
  }
}

/** One look at an integration. */
class Look {
  readonly #services: Services;
  readonly #watched: DriftWatched;
  readonly #now: Date;

  constructor(services: Services, watched: DriftWatched, now: Date) {
    this.#services = services;
    this.#watched = watched;
    this.#now = now;
  }

  /** Resolves the alerts of an integration that is no longer compared. Returns their number. */
  async end(): Promise<number> {
    const { problems } = await this.#state();
    await storeReports(this.#services, this.#over(problems, 'The integration is no longer compared.'));
    await deleteDriftState(this.#services.database, this.#watched.id);
    return problems.length;
  }

  /** Returns how many reports it stored. */
  async compare(severity: string, mappings: CurrentMappings): Promise<number> {
    const { id, seen, revision } = this.#watched;
    const heads = await this.#newEvents();
    if (heads.length === 0 && (seen === null || seen.revision === revision)) return 0;
    const current = (await mappings.of([id])).get(id);
    if (!current?.mapping) return 0;
    const { state: before, over } = await this.#adopt(await this.#state(), current.mapping);
    const reports = this.#over(over, `Revision ${current.revision} of the mapping was saved.`);
    const { state, signs } = await this.#withProposals(
      current.mapping,
      await this.#see(before, current.mapping, heads),
    );
    for (const { problem, over: end } of signs) {
      const integration = { ...this.#watched, severity };
      reports.push(
        end
          ? driftOver(id, problem, end.at, 'An event contains it again.')
          : this.#began(driftReport(integration, problem, current.revision)),
      );
    }
    await storeReports(this.#services, reports);
    const last = heads.at(-1) ?? (seen && { receivedAt: seen.receivedAt, id: seen.eventId });
    if (last) await this.#save(state, current.revision, { last, isBusy: heads.length === MAX_EVENTS });
    return reports.length;
  }

  async #state(): Promise<DriftState> {
    const { database } = this.#services;
    const stored = this.#watched.seen && (await findDriftState(database, this.#watched.id));
    return stored ? parseDriftState(stored.state) : NEW_STATE;
  }

  /** Returns the newest of the events that came since the last look, oldest first. */
  async #newEvents(): Promise<EventHead[]> {
    const { id, seen } = this.#watched;
    const range = {
      webhookId: id,
      from: seen?.receivedAt,
      to: new Date(this.#now.getTime() + 1),
    };
    const options = { limit: MAX_EVENTS, after: null, order: 'desc' } as const;
    const newest = await nextEvents(this.#services.database, range, options);
    const heads: EventHead[] = [];
    let bytes = 0;
    for (const head of newest) {
      bytes += head.bytes;
      const isSeen = seen && head.receivedAt <= seen.receivedAt && head.id <= seen.eventId;
      if (isSeen || (bytes > MAX_BYTES && heads.length > 0)) break;
      heads.unshift(head);
    }
    return heads;
  }

  /** Returns the state with the current mapping, and the problems that it solves. */
  async #adopt(
    state: DriftState,
    mapping: CompiledMapping,
  ): Promise<{ state: DriftState; over: readonly Problem[] }> {
    const { seen, revision } = this.#watched;
    if (seen === null || seen.revision === revision) return { state, over: [] };
    const used = new Set(lookedUpPaths(mapping).map(({ field, path }) => `${field}\n${path}`));
    const known = new Set<Problem>();
    for (const problem of state.problems) if (await this.#knows(mapping, problem)) known.add(problem);
    return withMapping(state, {
      uses: (field, path) => used.has(`${field}\n${path}`),
      knows: (problem) => known.has(problem),
    });
  }

  /** Returns whether a mapping has a value for the word of a problem, or the event with the word is gone. */
  async #knows(mapping: CompiledMapping, problem: Problem): Promise<boolean> {
    if (problem.kind !== 'word') return false;
    const place = { id: problem.id, receivedAt: new Date(problem.at) };
    const input = (await eventInputs(this.#services.database, [place])).get(place.id);
    const event = input && (await readEvent(mapping, place, input, yieldToOthers));
    const words = event?.words.find(({ field }) => field === problem.field);
    return !words?.unknown.includes(problem.word);
  }

  async #see(before: DriftState, mapping: CompiledMapping, heads: readonly EventHead[]): Promise<Seen> {
    let state = before;
    const signs: Sign[] = [];
    const inputs = await eventInputs(this.#services.database, heads);
    for (const head of heads) {
      const input = inputs.get(head.id);
      const event = input && (await readEvent(mapping, head, input, yieldToOthers));
      await yieldToOthers();
      if (!event) continue;
      const seen = seeEvent(state, event);
      state = seen.state;
      signs.push(...seen.signs);
    }
    return { state, signs };
  }

  /** Proposes what a sender has probably renamed: what is new in the event that shows a problem says more than what is similar. */
  async #withProposals(mapping: CompiledMapping, { state, signs }: Seen): Promise<Seen> {
    const better = new Map<Problem, Problem>();
    for (const { problem, over } of signs) {
      if (problem.kind !== 'path' || over !== null || problem.last === null) continue;
      const places = [problem.last, problem].map(({ id, at }) => ({ id, receivedAt: new Date(at) }));
      const inputs = await eventInputs(this.#services.database, places);
      const [before, after] = places.map(({ id }) => payloadOf(inputs.get(id)?.raw ?? NO_BODY));
      if (before === undefined || after === undefined) continue;
      const proposed = renamedPath(mapping, problem.path, { before, after });
      if (proposed !== null) better.set(problem, { ...problem, proposed });
    }
    const choose = (problem: Problem): Problem => better.get(problem) ?? problem;
    return {
      state: { ...state, problems: state.problems.map(choose) },
      signs: signs.map(({ problem, over }) => ({ problem: choose(problem), over })),
    };
  }

  /** Of a first look, the alerts begin now: events from before may have had some that ended since, when the integration was no longer compared. */
  #began(report: Report): Report {
    return this.#watched.seen ? report : { ...report, at: this.#now.getTime() };
  }

  #over(problems: readonly Problem[], reason: string): Report[] {
    return problems.map((problem) => driftOver(this.#watched.id, problem, this.#now.getTime(), reason));
  }

  #save(
    state: DriftState,
    revision: number,
    { last, isBusy }: { last: { receivedAt: Date; id: string }; isBusy: boolean },
  ): Promise<void> {
    return saveDriftState(this.#services.database, this.#watched.id, {
      revision,
      state: JSON.stringify(state),
      last,
      dueAt: new Date(this.#now.getTime() + (isBusy ? PAUSE_MS : 0)),
    });
  }
}
