import type { Database } from '../client/connect.js';

/** No alert waits for longer after its last event, see `db/upkeep/listening.ts`. */
const DAYS_AFTER_DELETION = 60;

/**
 * Returns how long the integrations that let their alerts expire wait for an event, in milliseconds, by id. Those that were deleted still do: nothing
 * else ends what fired then.
 */
export async function expiryRules(database: Database): Promise<Map<string, number>> {
  const rows = await database('webhooks')
    .whereNotNull('resolve_after_s')
    .whereRaw('(deleted_at IS NULL OR deleted_at > UTC_TIMESTAMP(3) - INTERVAL ? DAY)', [DAYS_AFTER_DELETION])
    .select('id', 'resolve_after_s');
  return new Map(rows.map(({ id, resolve_after_s }) => [id, Number(resolve_after_s) * 1_000]));
}
