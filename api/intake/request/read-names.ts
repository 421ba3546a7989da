import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { compileYielding, type RequestNames, requestNames } from '../../../workers/mapping/index.js';

export type { RequestNames };

/** A revision of an integration's mapping, as JSON. */
interface SavedMapping {
  webhookId: string;
  revision: number;
  mapping: string;
}

/** A mapping that reads nothing of the request, as most do. */
export const NO_NAMES: RequestNames = { headers: new Set(), query: new Set() };

/** What the mappings of all integrations read of requests. Compiles each revision once. */
export class ReadNames {
  #byRevision = new Map<string, RequestNames>();
  #byWebhook = new Map<string, RequestNames>();

  /** Returns what the mappings of an integration read. */
  of(webhookId: string): RequestNames {
    return this.#byWebhook.get(webhookId) ?? NO_NAMES;
  }

  /** Replaces the mappings. Requests are served meanwhile, because compiling all may take long. */
  async load(mappings: readonly SavedMapping[]): Promise<void> {
    const byRevision = new Map<string, RequestNames>();
    const byWebhook = new Map<string, RequestNames>();
    for (const { webhookId, revision, mapping } of mappings) {
      const id = `${webhookId}/${revision}`;
      const names = this.#byRevision.get(id) ?? (await namesOf(mapping));
      byRevision.set(id, names);
      byWebhook.set(webhookId, union(byWebhook.get(webhookId) ?? NO_NAMES, names));
    }
    this.#byRevision = byRevision;
    this.#byWebhook = byWebhook;
  }
}

async function namesOf(mapping: string): Promise<RequestNames> {
  const compiled = await compileYielding(JSON.parse(mapping), () => yieldToOthers(), true);
  return 'errors' in compiled ? NO_NAMES : requestNames(compiled.mapping);
}

const union = (a: RequestNames, b: RequestNames): RequestNames => ({
  headers: either(a.headers, b.headers),
  query: either(a.query, b.query),
});

const either = (a: RequestNames['query'], b: RequestNames['query']): RequestNames['query'] =>
  a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b]);
