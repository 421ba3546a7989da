import type { Database } from '../../db/connect.js';
import { currentRevisions, findMapping } from '../../db/mapping-revisions.js';
import { mappingSchema } from '../mapping/mapping.js';
import { type CompiledMapping, compileMapping } from '../mapping/normalize.js';

/** At most this many compiled mappings are remembered. */
const MAX_REMEMBERED = 1_000;

/** What an integration's events are mapped with; no mapping when it has none yet. */
export interface CurrentMapping {
  revision: number;
  mapping: CompiledMapping | null;
}

/** Compiled mappings by integration and revision. A revision never changes, so what is remembered is always right. */
export class MappingCache {
  readonly #database: Database;
  readonly #compiled = new Map<string, CompiledMapping>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** The present mapping of each of these integrations: one query, and one more for each revision not met before. */
  async current(webhookIds: readonly string[]): Promise<Map<string, CurrentMapping>> {
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
    if (text === null) return null;
    const compiled = compileMapping(mappingSchema.parse(JSON.parse(text)));
    if (this.#compiled.size >= MAX_REMEMBERED) this.#compiled.clear();
    this.#compiled.set(key, compiled);
    return compiled;
  }
}
