import type { Knex } from 'knex';
import type { Database } from '../client/connect.js';
import { inTransaction } from '../client/transaction.js';

/** Runs a change and, in the same transaction, increases the version that tells other hosts to reload. */
export async function inChange<T>(
  database: Database,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (transaction) => {
    const result = await work(transaction);
    await transaction('webhook_changes').increment('version', 1);
    return result;
  });
}

/** Locks an integration until the transaction ends. Returns false if there is none or it is deleted. */
export async function lockWebhook(transaction: Knex.Transaction, id: string): Promise<boolean> {
  const row = await transaction('webhooks').where({ id }).whereNull('deleted_at').first('id').forUpdate();
  return row !== undefined;
}

/** Lets one transaction at a time go on that calls this, until it ends. */
export async function lockChanges(transaction: Knex.Transaction): Promise<void> {
  await transaction('webhook_changes').forUpdate().first('version');
}
