import { setMaxListeners } from 'node:events';
import { Readable } from 'node:stream';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { type FileStore, isStoreFull, isStoreUnavailable } from '../../db/files/index.js';
import { isCancelRequested } from '../../db/jobs/job-lifecycle.js';
import { findJob, type Job } from '../../db/jobs/jobs.js';
import { describeError } from '../process/describe-error.js';
import { JobCanceled, WorkerClosing } from './errors.js';
import type { JobHandler, JobResult } from './handler.js';
import { pauseWithin, retryWhileDatabaseUnavailable, waiting } from './retry-while-unavailable.js';
import type { WorkerServices } from './services.js';

/** The first wait. Each further one is twice as long, up to the maximum: an attempt may read megabytes before it fails. */
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 5_000;

/**
 * Runs a job's handler. While the database is unavailable, the file store is unavailable or full, or the disk for temporary
 * files is full, it starts the handler again every few seconds, which costs the job no attempt: the handler resumes from what
 * it has stored. A cancellation or a shutdown interrupts the handler's calls to the store.
 * @throws JobCanceled, WorkerClosing, and whatever else the handler throws
 */
export async function runHandler(
  handler: JobHandler,
  job: Job,
  services: WorkerServices,
): Promise<JobResult> {
  const { signal, end } = watchForStop(job.id, services);
  const own = { ...services, files: interruptible(services.files, signal) };
  let isWaiting = false;
  let waitMs = FIRST_WAIT_MS;
  try {
    for (let current = job; ; current = await reread(job, services)) {
      signal.throwIfAborted();
      try {
        return await handler(current, own);
      } catch (error) {
        if (isDatabaseUnavailable(error)) {
          await pauseWithin(signal, FIRST_WAIT_MS);
          continue;
        }
        if (!isStoreUnavailable(error) && !isStoreFull(error)) throw error;
        if (!isWaiting) services.log.warn({ error: describeError(error) }, 'job waits for the file store');
        if (!isWaiting) waiting.store += 1;
        isWaiting = true;
        await pauseWithin(signal, waitMs);
        waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
      }
    }
  } finally {
    end();
    if (isWaiting) waiting.store -= 1;
  }
}

/** Waits for the database, and returns the job's current row: the handler continues from what it saved before it failed. */
async function reread(job: Job, { database, closing }: WorkerServices): Promise<Job> {
  return (await retryWhileDatabaseUnavailable(closing, () => findJob(database, job.id))) ?? job;
}

/** A job that ends sooner causes no query. */
const CHECK_EVERY_MS = 2_000;

/**
 * Checks every 2 s whether a job should stop, also while it waits for a server that does not respond.
 * @returns a signal whose reason is `WorkerClosing` or `JobCanceled`, and a function that ends the checks
 */
function watchForStop(jobId: string, { database, closing }: WorkerServices) {
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

/**
 * Returns a store whose calls fail as soon as `stop` fires, with the signal's reason. Without it, a job that waits for a
 * stalled store would notice a cancellation or a shutdown only at the store's deadline.
 */
export function interruptible(files: FileStore, stop: AbortSignal): FileStore {
  return {
    write: async (key, source) => {
      // The store adds its listener later. An `error` event without a listener ends the process.
      source.on('error', () => {});
      if (stop.aborted) source.destroy();
      stop.throwIfAborted();
      return unlessStopped(stop, files.write(key, source), () => void source.destroy(stop.reason));
    },
    read: (key, range) => Readable.from(chunks(files.read(key, range), stop), { objectMode: false }),
    stat: (key) => unlessStopped(stop, files.stat(key)),
    remove: (key) => unlessStopped(stop, files.remove(key)),
    list: () => files.list(),
    check: () => unlessStopped(stop, files.check()),
  };
}

async function* chunks(source: Readable, stop: AbortSignal): AsyncGenerator<Uint8Array> {
  const iterator: AsyncIterator<Uint8Array> = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { value, done } = await unlessStopped(stop, iterator.next());
      if (done) return;
      yield value;
    }
  } finally {
    // The caller already has the signal's reason.
    source.on('error', () => {}).destroy();
  }
}

async function unlessStopped<T>(stop: AbortSignal, work: Promise<T>, onStop = (): void => {}): Promise<T> {
  let end = (): void => {};
  const stopped = new Promise<never>((_, reject) => {
    const interrupt = (): void => {
      onStop();
      reject(stop.reason);
    };
    if (stop.aborted) return interrupt();
    stop.addEventListener('abort', interrupt, { once: true });
    end = () => stop.removeEventListener('abort', interrupt);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, stopped]);
  } finally {
    end();
  }
}
