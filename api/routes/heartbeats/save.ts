import type { Knex } from 'knex';
import { checkNow } from '../../../db/heartbeats/heartbeat-states.js';
import { countHeartbeats, type HeartbeatSettings, saveHeartbeat } from '../../../db/heartbeats/heartbeats.js';
import type { Author } from '../../../db/webhooks/author.js';
import { conflict } from '../../http/errors.js';

/** Of one integration. */
export const MAX_HEARTBEATS = 10_000;

/**
 * Creates a heartbeat, or replaces its settings, which are then checked at once. Returns whether it is new.
 * @throws RequestError 409 if it is one too many
 */
export async function saveChecked(
  change: Knex.Transaction,
  heartbeat: HeartbeatSettings,
  author: Author,
): Promise<boolean> {
  const isNew = await saveHeartbeat(change, heartbeat, author);
  if (isNew && (await countHeartbeats(change, heartbeat.webhookId)) > MAX_HEARTBEATS)
    throw conflict(
      'too_many_heartbeats',
      `An integration has at most ${MAX_HEARTBEATS.toLocaleString('en-US')} heartbeats.`,
    );
  await checkNow(change, heartbeat);
  return isNew;
}
