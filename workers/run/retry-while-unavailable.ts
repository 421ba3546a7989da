import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { WorkerClosing } from './errors.js';
import { waiting } from './waiting.js';

const RETRY_EVERY_MS = 1_000;

/**
 * Does work that needs the database, and retries it every second while the database is unavailable. This costs the job no
 * attempt. The work must be safe to repeat: after a lost connection it is unknown whether a commit succeeded.
 * @throws WorkerClosing if the process shuts down while it waits
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
        if (!isWaiting) waiting.database += 1;
        isWaiting = true;
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
