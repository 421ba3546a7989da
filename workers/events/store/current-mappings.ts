import type { Database } from '../../../db/client/connect.js';
import { currentRevisions, findMapping } from '../../../db/webhooks/mapping-revisions.js';
import { type CompiledMapping, compileStored, MappingCache } from '../../mapping/index.js';

/** The mapping that an integration's events are mapped with; null if it has none yet. */
export interface CurrentMapping {
  revision: number;
  mapping: CompiledMapping | null;
  /** How long after its last event an alert expires, in milliseconds; null or left out: never. */
  resolveAfterMs?: number | null;
  /** After how long without an event it counts as silent, in milliseconds; null or left out: never. */
  silenceMs?: number | null;
}

/** The current mappings of integrations. Each revision is compiled once. */
export class CurrentMappings {
  readonly #database: Database;
  readonly #compiled = new MappingCache();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the current mapping of each integration, with one query, and one more for each revision that is not cached. */
  async of(webhookIds: readonly string[]): Promise<Map<string, CurrentMapping>> {
    const revisions = await currentRevisions(this.#database, webhookIds);
    const found = new Map<string, CurrentMapping>();
    for (const [id, { revision, ...rules }] of revisions) {
      const mapping = revision === 0 ? null : await this.#load(id, revision);
      found.set(id, { revision, mapping, ...rules });
    }
    return found;
  }

  async #load(webhookId: string, revision: number): Promise<CompiledMapping | null> {
    const key = `${webhookId}/${revision}`;
    const cached = this.#compiled.get(key);
    if (cached) return cached;
    const text = await findMapping(this.#database, webhookId, revision);
    return text === null ? null : this.#compiled.add(key, compileStored(JSON.parse(text)));
  }
}
