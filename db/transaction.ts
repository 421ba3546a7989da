import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from './connect.js';
import { isConflict } from './errors.js';

const MAX_TRIES = 20;

/**
 * Runs `work` in one transaction, and the whole of it again after a deadlock or lock time-out.
 * After such an error a commit would succeed with half the work gone, so a single statement is never repeated.
 */
export async function inTransaction<T>(
  database: Database,
  work: (transaction: Knex.Transaction) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(work);
    } catch (error) {
      if (!isConflict(error) || tries >= MAX_TRIES) throw error;
      await sleep(Math.random() * Math.min(20 * 2 ** tries, 1_000));
    }
  }
}
