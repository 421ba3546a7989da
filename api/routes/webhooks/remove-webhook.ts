import type { Knex } from 'knex';
import { checkDeleted } from '../../../db/heartbeats/heartbeat-states.js';
import { deleteHeartbeats } from '../../../db/heartbeats/heartbeats.js';
import { deleteWebhook } from '../../../db/webhooks/webhooks.js';

/** Deletes an integration with its heartbeats, which nothing can ping any more. Returns false if there is none. */
export async function removeWebhook(transaction: Knex.Transaction, id: string): Promise<boolean> {
  if (!(await deleteWebhook(transaction, id))) return false;
  await deleteHeartbeats(transaction, id);
  await checkDeleted(transaction, id);
  return true;
}
