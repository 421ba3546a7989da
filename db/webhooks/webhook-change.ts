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
