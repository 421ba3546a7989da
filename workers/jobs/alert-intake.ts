import { type Job as QueuedJob, WaitingError } from 'bullmq';
import { WorkerClosing } from '../errors.js';
import { queuedBatch } from '../intake/event-batch.js';
import { EventStore } from '../intake/event-store.js';
import { isSuspect, storeSuspects } from '../intake/suspect-batch.js';
import { patiently } from '../patience.js';
import { describeError } from '../process/describe-error.js';
import type { QueueHandler, Services } from '../services.js';

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
    else await patiently(services.closing, () => store.store(queued.queueName, batch));
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
