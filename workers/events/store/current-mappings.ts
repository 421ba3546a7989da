import type { Database } from '../../../db/client/connect.js';
import { currentRevisions, findMapping } from '../../../db/webhooks/mapping-revisions.js';
import { type CompiledMapping, MappingCache } from '../../mapping/index.js';

/** What an integration's events are mapped with; no mapping when it has none yet. */
export interface CurrentMapping {
  revision: number;
  mapping: CompiledMapping | null;
}

/** The present mappings of integrations, compiled once a revision. */
export class CurrentMappings {
  readonly #database: Database;
  readonly #compiled = new MappingCache();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The present mapping of each of these integrations: one query, and one more for each revision not met before. */
  async of(webhookIds: readonly string[]): Promise<Map<string, CurrentMapping>> {
    const revisions = await currentRevisions(this.#database, webhookIds);
    const found = new Map<string, CurrentMapping>();
    for (const [id, revision] of revisions) {
      found.set(id, { revision, mapping: revision === 0 ? null : await this.#load(id, revision) });
    }
    return found;
  }

  async #load(webhookId: string, revision: number): Promise<CompiledMapping | null> {
    const key = `${webhookId}/${revision}`;
    const known = this.#compiled.get(key);
    if (known) return known;
    const text = await findMapping(this.#database, webhookId, revision);
    return text === null ? null : this.#compiled.add(key, JSON.parse(text));
  }
}
