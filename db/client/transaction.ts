import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from './connect.js';
import { CommitUnknown, isConflict } from './errors.js';

const MAX_TRIES = 20;

/**
 * Runs `work` in one transaction, and the whole of it again after a deadlock or lock time-out.
 * After such an error a commit would succeed with half the work gone, so a single statement is never repeated.
 * Given a transaction, the work is part of it, and its owner repeats all of it.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  if (database.isTransaction) return work(database as Knex.Transaction);
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(work);
    } catch (error) {
      if (!isConflict(error) || tries >= MAX_TRIES) throw error;
      await sleep(Math.random() * Math.min(20 * 2 ** tries, 1_000));
    }
  }
}

/**
 * Like `inTransaction`, but never leaves the result of a COMMIT to guesswork. If the connection fails during COMMIT,
 * `isCommitted` looks the result up; it must read with a lock that the transaction held, so that it waits for a COMMIT
 * that is still going on.
 *
 * @throws CommitUnknown if the look-up fails too; any other error means that nothing was committed
 */
export async function inKnownTransaction<T>(
  database: Database,
  work: (transaction: Knex.Transaction) => Promise<T>,
  isCommitted: (database: Database) => Promise<boolean>,
): Promise<T> {
  let done: { result: T } | null = null;
  try {
    return await inTransaction(database, async (transaction) => {
      done = null;
      const result = await work(transaction);
      done = { result };
      return result;
    });
  } catch (error) {
    const { result } = (done ?? {}) as { result?: T };
    // The work failed, so COMMIT was never sent.
    if (done === null) throw error;
    const committed = await isCommitted(database).catch(() => {
      throw new CommitUnknown(error);
    });
    if (!committed) throw error;
    return result as T;
  }
}
