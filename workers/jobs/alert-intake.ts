import { type Job as QueuedJob, WaitingError } from 'bullmq';
import { isCrashLooping, probeBatch } from '../events/store/crash-loop.js';
import { queuedBatch } from '../events/store/event-batch.js';
import { EventWriter } from '../events/store/event-writer.js';
import { describeError } from '../process/describe-error.js';
import { WorkerClosing } from '../run/errors.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { QueueHandler, Services } from '../run/services.js';

/** One per process, so that batches that are processed at the same time are written together. */
const writers = new WeakMap<Services, EventWriter>();

/**
 * Stores a batch of events with their alerts. Safe to repeat after a crash at any point: stored events stay as they are. Waits
 * while the database is unavailable.
 */
export const storeIntakeBatch: QueueHandler = async (queued, token, services) => {
  const batch = queuedBatch(queued, services);
  const writer = writers.get(services) ?? new EventWriter(services);
  writers.set(services, writer);
  try {
    if (isCrashLooping(queued)) await probeBatch(queued, await batch.events(), writer, services);
    else await retryWhileDatabaseUnavailable(services.closing, () => writer.write(queued.queueName, batch));
    return 'completed';
  } catch (error) {
    return await giveBack(error as Error, queued, token, services);
  }
};

/** Gives the batch back to its queue: at once on shutdown, else to be retried after a delay. A batch is never discarded. */
async function giveBack(
  error: Error,
  queued: QueuedJob,
  token: string | undefined,
  { log }: Services,
): Promise<never> {
  if (error instanceof WorkerClosing) {
    await queued.moveToWait(token);
    throw new WaitingError();
  }
  log.error(
    { batch: queued.id, error: describeError(error) },
    'a batch of events failed; it will be retried',
  );
  // A driver's message contains the statement with its values, and BullMQ would store it in Redis.
  throw new Error('the attempt failed; the log has the reason');
}
