import type { Database } from '../../db/client/connect.js';
import { type Destination, findDestinations } from '../../db/outbox/destinations.js';
import type { LaneWrite, Written } from '../../db/outbox/lane-write.js';
import { writeLanes } from '../../db/outbox/lane-writes.js';
import { type LaneDue, type LaneRead, readLanes } from '../../db/outbox/waiting-messages.js';
import { integrationsOf } from '../../db/series/told-alerts.js';
import { Gathered } from './gathered.js';

const NAMES_MS = 1_000;

/** Reads and writes for the lanes of a worker: for all that ask at the same time together. */
export class LaneStore {
  readonly due: Gathered<LaneRead, LaneDue>;
  readonly writes: Gathered<LaneWrite, Written>;
  /** Null: there is none any more. */
  readonly destinations: Gathered<string, Destination | null>;
  #names = new Map<string, string>();
  #namesUntil = 0;
  readonly #integrations: Gathered<readonly string[], Map<string, { name: string }>>;

  constructor(database: Database) {
    this.due = new Gathered((reads) => readLanes(database, reads));
    this.writes = new Gathered((writes) => writeLanes(database, writes));
    this.destinations = new Gathered(async (ids) => {
      const found = await findDestinations(database, ids);
      return ids.map((id) => found.get(id) ?? null);
    });
    this.#integrations = new Gathered(async (lists) => {
      const found = await integrationsOf(database, [...new Set(lists.flat())]);
      return lists.map(() => found);
    });
  }

  /** Returns the names of integrations, as they were a second ago at most. */
  async namesOf(ids: readonly string[]): Promise<(id: string) => string> {
    if (performance.now() > this.#namesUntil) {
      this.#names = new Map();
      this.#namesUntil = performance.now() + NAMES_MS;
    }
    const names = this.#names;
    const unknown = ids.filter((id) => !names.has(id));
    if (unknown.length > 0)
      for (const [id, { name }] of await this.#integrations.do(unknown)) names.set(id, name);
    return (id) => names.get(id) ?? '';
  }
}

/** Returns what a worker writes about a lane if there is nothing to write. */
export const nothingIn = (lane: LaneWrite['lane']): LaneWrite => ({
  lane,
  results: [],
  ended: [],
  superseded: [],
  postponed: [],
  begun: [],
  revision: 0,
  unsent: [],
  health: null,
  release: null,
});
