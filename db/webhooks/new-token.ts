import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { inChange, lockWebhook } from './webhook-change.js';

/** A token is stored as a hash, to find it, and encrypted, to show it. */
export interface NewToken {
  hash: Buffer;
  sealed: Buffer;
}

/**
 * Gives an integration a new token. Its other tokens, except imported ones, expire at `graceUntil`, or earlier if they already
 * would. Returns false if there is no such integration.
 */
export async function rotateToken(
  database: Database,
  id: string,
  token: NewToken,
  graceUntil: Date,
): Promise<boolean> {
  return inChange(database, async (transaction) => {
    if (!(await lockWebhook(transaction, id))) return false;
    await transaction('webhook_tokens')
      .where({ webhook_id: id })
      .whereNull('imported_id')
      .where((later) => later.whereNull('expires_at').orWhere('expires_at', '>', graceUntil))
      .update({ expires_at: graceUntil });
    await insertToken(transaction, id, token, new Date());
    return true;
  });
}

/** Adds a token, inside the transaction that creates or changes its integration. */
export async function insertToken(
  transaction: Knex.Transaction,
  webhookId: string,
  { hash, sealed }: NewToken,
  createdAt: Date,
): Promise<void> {
  await transaction('webhook_tokens').insert({
    token_hash: hash,
    webhook_id: webhookId,
    sealed,
    created_at: createdAt,
  });
}
