import type { Database } from '../../db/client/connect.js';
import { findMapping } from '../../db/webhooks/mapping-revisions.js';
import { type CompiledMapping, MappingCache } from '../../workers/mapping/index.js';

/** One for the process: a revision never changes. */
const compiled = new MappingCache();

/** A revision of an integration's mapping, made ready; null when there is none. */
export async function compiledRevision(
  database: Database,
  webhookId: string,
  revision: number,
): Promise<CompiledMapping | null> {
  const key = `${webhookId}/${revision}`;
  const known = compiled.get(key);
  if (known) return known;
  const text = await findMapping(database, webhookId, revision);
  return text === null ? null : compiled.add(key, JSON.parse(text));
}
