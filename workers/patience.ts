import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseAway } from '../db/errors.js';
import { WorkerClosing } from './errors.js';

const TRY_EVERY_MS = 1_000;

/**
 * Does a piece of work that needs the database, and waits while the database is away: that is no fault of the job, so
 * it costs no attempt. The work must be safe to repeat: a lost connection does not tell whether a commit went through.
 */
export async function patiently<T>(closing: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await sleep(TRY_EVERY_MS, undefined, { signal: closing }).catch(() => {});
      if (closing.aborted) throw new WorkerClosing('closing', { cause: error });
    }
  }
}

/** Waits, but not longer than the process is to live. */
export const pauseWithin = (closing: AbortSignal, ms: number): Promise<void> =>
  sleep(ms, undefined, { signal: closing }).catch(() => {});
