import { setMaxListeners } from 'node:events';
import { isCancelRequested } from '../../db/jobs/job-lifecycle.js';
import { JobCanceled, WorkerClosing } from './errors.js';
import type { Services } from './services.js';

/** A job that ends sooner causes no query. */
const CHECK_EVERY_MS = 2_000;

/**
 * Checks every 2 s whether a job should stop, also while it waits for a server that does not respond.
 * @returns a signal whose reason is `WorkerClosing` or `JobCanceled`, and a function that ends the checks
 */
export function watchForStop(jobId: string, { database, closing }: Services) {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  const close = (): void => stop.abort(new WorkerClosing('closing'));
  if (closing.aborted) close();
  closing.addEventListener('abort', close, { once: true });
  let isChecking = false;
  const check = async (): Promise<void> => {
    if (isChecking) return;
    isChecking = true;
    // While the database is unavailable, no job can be canceled.
    const isCanceled = await isCancelRequested(database, jobId).catch(() => false);
    isChecking = false;
    if (isCanceled) stop.abort(new JobCanceled('canceled'));
  };
  const timer = setInterval(() => void check(), CHECK_EVERY_MS);
  const end = (): void => {
    clearInterval(timer);
    closing.removeEventListener('abort', close);
  };
  return { signal: stop.signal, end };
}
