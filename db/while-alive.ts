import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './connect.js';

/** Most look-ups are done by then, and cost no second statement. */
const SLOW_AFTER_MS = 150;

/**
 * Waits for a look-up that may take longer than other statements, as long as the database answers at all. Without this a
 * frozen database would be told from a slow look-up only when that one's own time is over.
 */
export async function whileAlive<T>(database: Database, lookUp: Promise<T>): Promise<T> {
  const done = new AbortController();
  const dead = sleep(SLOW_AFTER_MS, undefined, { signal: done.signal })
    .then(() => database.raw('SELECT 1'))
    .then(() => new Promise<never>(() => {}));
  return Promise.race([lookUp, dead]).finally(() => done.abort());
}
