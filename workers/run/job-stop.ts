import { setMaxListeners } from 'node:events';
import { isCancelRequested } from '../../db/jobs/job-lifecycle.js';
import { JobCanceled, WorkerClosing } from './errors.js';
import type { Services } from './services.js';

/** A job that ends sooner costs no statement. */
const LOOK_EVERY_MS = 2_000;

/**
 * Watches whether a job should stop, while it may be waiting for something that does not respond.
 * @returns a signal whose reason is `WorkerClosing` or `JobCanceled`, and what ends the watch
 */
export function watchForStop(jobId: string, { database, closing }: Services) {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const close = (): void => stop.abort(new WorkerClosing('closing'));
  if (closing.aborted) close();
  closing.addEventListener('abort', close, { once: true });
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    // While the database is unavailable nobody can cancel either.
    const isCanceled = await isCancelRequested(database, jobId).catch(() => false);
    isLooking = false;
    if (isCanceled) stop.abort(new JobCanceled('canceled'));
  };
  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  const end = (): void => {
    clearInterval(timer);
    closing.removeEventListener('abort', close);
  };
  return { signal: stop.signal, end };
}
