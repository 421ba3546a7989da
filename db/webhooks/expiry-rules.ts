import type { Database } from '../client/connect.js';

/** Returns how long the integrations that let their alerts expire wait for an event, in milliseconds, by id. */
export async function expiryRules(database: Database): Promise<Map<string, number>> {
  const rows = await database('webhooks')
    .whereNotNull('resolve_after_s')
    .whereNull('deleted_at')
    .select('id', 'resolve_after_s');
  return new Map(rows.map(({ id, resolve_after_s }) => [id, Number(resolve_after_s) * 1_000]));
}
