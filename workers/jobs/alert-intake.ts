import type { Job as QueuedJob } from 'bullmq';
import { isCrashLooping, probeBatch } from '../events/store/crash-loop.js';
import { queuedBatch, UnreadableBatch } from '../events/store/event-batch.js';
import { EventWriter } from '../events/store/event-writer.js';
import { describeError } from '../process/describe-error.js';
import { DatabaseLost, WorkerClosing } from '../run/errors.js';
import type { QueueHandler } from '../run/handler.js';
import { handBack, retryLater } from '../run/job-outcome.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { WorkerServices } from '../run/services.js';

/** One per process, so that batches that are processed at the same time are written together. */
const writers = new WeakMap<WorkerServices, EventWriter>();

/**
 * Stores a batch of events with their alerts. Safe to repeat after a crash at any point: stored events stay as they are. Waits
 * while the database is unavailable.
 */
export const storeIntakeBatch: QueueHandler = async (queued, token, services) => {
  const writer = writers.get(services) ?? new EventWriter(services);
  writers.set(services, writer);
  try {
    const batch = queuedBatch(queued, services);
    if (isCrashLooping(queued)) await probeBatch(queued, await batch.events(), writer, services);
    else await retryWhileDatabaseUnavailable(services.closing, () => writer.write(queued.queueName, batch));
    return 'completed';
  } catch (error) {
    return await giveBack(error, queued, token, services);
  }
};

/** Gives the batch back to its queue: at once on shutdown, else to be retried after a delay. A batch is never discarded. */
async function giveBack(
  error: unknown,
  queued: QueuedJob,
  token: string | undefined,
  { log }: WorkerServices,
): Promise<never> {
  if (error instanceof WorkerClosing) {
    return handBack(queued, token);
  }
  if (error instanceof DatabaseLost) throw error;
  if (error instanceof UnreadableBatch) {
    log.error({ batch: queued.id }, 'a batch of events is malformed; it stays in the queue');
    return retryLater();
  }
  log.error(
    { batch: queued.id, error: describeError(error) },
    'a batch of events failed; it will be retried',
  );
  return retryLater();
}
