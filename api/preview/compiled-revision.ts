import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Database } from '../../db/client/connect.js';
import { findMapping } from '../../db/webhooks/mapping-revisions.js';
import { type CompiledMapping, compileYielding, MappingCache } from '../../workers/mapping/index.js';

/** One per process. A revision never changes. */
const compiled = new MappingCache();

/** Returns a compiled revision of an integration's mapping, or null if there is none. */
export async function compiledRevision(
  database: Database,
  webhookId: string,
  revision: number,
): Promise<CompiledMapping | null> {
  const key = `${webhookId}/${revision}`;
  const cached = compiled.get(key);
  if (cached) return cached;
  const text = await findMapping(database, webhookId, revision);
  return text === null
    ? null
    : compiled.add(key, await compileYielding(JSON.parse(text), yieldToOthers, true));
}
