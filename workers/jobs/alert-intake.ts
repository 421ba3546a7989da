import { type Job as QueuedJob, WaitingError } from 'bullmq';
import { isSuspect, storeSuspects } from '../events/store/crash-loop.js';
import { queuedBatch } from '../events/store/event-batch.js';
import { EventStore } from '../events/store/event-store.js';
import { describeError } from '../process/describe-error.js';
import { WorkerClosing } from '../run/errors.js';
import { retryWhileDatabaseUnavailable } from '../run/retry-while-unavailable.js';
import type { QueueHandler, Services } from '../run/services.js';

/** One a process: batches that are in hand at the same time are written together. */
const stores = new WeakMap<Services, EventStore>();

/**
 * Takes a batch of events to the database: each becomes alerts by itself, all are stored in one write. A batch may be
 * done again after a crash at any point: what is stored stays as it is. With the database away it waits.
 */
export const storeIntakeBatch: QueueHandler = async (queued, token, services) => {
  const batch = queuedBatch(queued, services);
  const store = stores.get(services) ?? new EventStore(services);
  stores.set(services, store);
  try {
    if (isSuspect(queued)) await storeSuspects(queued, await batch.events(), store, services);
    else await retryWhileDatabaseUnavailable(services.closing, () => store.store(queued.queueName, batch));
    return 'completed';
  } catch (error) {
    return await settle(error as Error, queued, token, services);
  }
};

/** A batch is never given up: it goes back to its queue, at once or after a while. */
async function settle(
  error: Error,
  queued: QueuedJob,
  token: string | undefined,
  { log }: Services,
): Promise<never> {
  if (error instanceof WorkerClosing) {
    await queued.moveToWait(token);
    throw new WaitingError();
  }
  log.error({ batch: queued.id, error: describeError(error) }, 'a batch of events will be tried again');
  // A driver's message holds the statement with its values, and BullMQ would store it in Redis.
  throw new Error('the attempt failed; the log has the reason');
}
