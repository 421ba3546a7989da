import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseFull, isDatabaseUnavailable } from '../../db/client/errors.js';
import { DatabaseLost, WorkerClosing } from './errors.js';

const RETRY_EVERY_MS = 1_000;

/** The outage of the database that this process sees. */
export const outage: { since: number | null; keepJobsMs: number } = {
  /** When it began, on the clock of `performance`; null while the database responds. */
  since: null,
  /** How long jobs wait before they are left to other workers, in milliseconds. */
  keepJobsMs: 30_000,
};

/**
 * Does work that needs the database, and retries it every second while the database is unavailable. This costs the job no
 * attempt. The work must be safe to repeat: after a lost connection it is unknown whether a commit succeeded.
 * @throws WorkerClosing if the process shuts down while it waits, DatabaseLost if the outage lasts longer than `keepJobsMs`
 */
export async function retryWhileDatabaseUnavailable<T>(
  closing: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let isWaiting = false;
  try {
    for (;;) {
      try {
        const result = await work();
        outage.since = null;
        return result;
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (!isWaiting) waiting.database += 1;
        isWaiting = true;
        outage.since ??= performance.now();
        // A full disk is the same for all workers.
        if (performance.now() - outage.since >= outage.keepJobsMs && !isDatabaseFull(error))
          throw new DatabaseLost('the database is unavailable', { cause: error });
        await pauseWithin(closing, RETRY_EVERY_MS);
        if (closing.aborted) throw new WorkerClosing('closing', { cause: error });
      }
    }
  } finally {
    if (isWaiting) waiting.database -= 1;
  }
}

/** Resolves after `ms`, or as soon as the signal fires. */
export const pauseWithin = (closing: AbortSignal, ms: number): Promise<void> =>
  sleep(ms, undefined, { signal: closing }).catch(() => {});

/** How much work of this process is waiting for a server to come back. The metrics show it. */
export const waiting = {
  /** Pieces of work that wait for the database. */
  database: 0,
  /** Jobs that wait for the file store. */
  store: 0,
};
