import type { Knex } from 'knex';
import type { Database } from './connect.js';
import { asTransaction, hostInUse } from './driver.js';
import { CommitUnknown } from './errors.js';
import { repeatConflicts } from './repeat-conflicts.js';

/**
 * Runs `work` in one transaction, and repeats all of it after a deadlock or a lock timeout. It never repeats a single
 * statement: after such an error, a commit would succeed with half of the work lost. If `database` is itself a
 * transaction, the work is part of it, and the caller that opened it repeats all of it.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  const transaction = asTransaction(database);
  if (transaction) return work(transaction);
  return repeatConflicts(() =>
    database.transaction(async (begun) => {
      // knex calls this also if BEGIN failed. Statements that bypass knex would then be committed one by one.
      if (begun.isCompleted()) throw new Error('BEGIN failed');
      return work(begun);
    }),
  );
}

/**
 * Like {@link inTransaction}, but finds out what happened if the connection fails during COMMIT: `isCommitted` queries the
 * result. It must read with a lock that the transaction held, so that it waits for a COMMIT still in progress.
 * @throws CommitUnknown if that query fails too; any other error means that nothing was committed
 */
export async function inKnownTransaction<T>(
  database: Database,
  work: (transaction: Knex.Transaction) => Promise<T>,
  isCommitted: (database: Database) => Promise<boolean>,
): Promise<T> {
  const attempt: { done: { result: T } | undefined } = { done: undefined };
  const host = hostInUse(database);
  try {
    return await inTransaction(database, async (transaction) => {
      attempt.done = undefined;
      const result = await work(transaction);
      attempt.done = { result };
      return result;
    });
  } catch (error) {
    const { done } = attempt;
    // The work itself failed, so COMMIT was not sent.
    if (!done) throw error;
    const committed = await isCommitted(database).catch(() => {
      throw new CommitUnknown(error);
    });
    // Another host does not see the lock: the first one may be cut off from here only, and commit what it has received.
    if (!committed) throw hostInUse(database) === host ? error : new CommitUnknown(error);
    return done.result;
  }
}
