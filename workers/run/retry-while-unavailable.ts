import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { WorkerClosing } from './errors.js';

const TRY_EVERY_MS = 1_000;

let waiting = 0;

/** How many pieces of this process's work wait for the database just now. */
export const waitingForDatabase = (): number => waiting;

/**
 * Does a piece of work that needs the database, and waits while the database is away: that is no fault of the job, so
 * it costs no attempt. The work must be safe to repeat: a lost connection does not tell whether a commit went through.
 */
export async function retryWhileDatabaseUnavailable<T>(
  closing: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  let isWaiting = false;
  try {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        if (!isWaiting) waiting += 1;
        isWaiting = true;
        await pauseWithin(closing, TRY_EVERY_MS);
        if (closing.aborted) throw new WorkerClosing('closing', { cause: error });
      }
    }
  } finally {
    if (isWaiting) waiting -= 1;
  }
}

/** Waits, but not longer than the process is to live. */
export const pauseWithin = (closing: AbortSignal, ms: number): Promise<void> =>
  sleep(ms, undefined, { signal: closing }).catch(() => {});
