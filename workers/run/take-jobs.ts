import { setMaxListeners } from 'node:events';
import { type Job as QueuedJob, Worker } from 'bullmq';
import type { RedisConnection } from '../queues/connection.js';
import type { Contract } from '../queues/contracts/contract.js';
import { turnStarted } from '../queues/fair-order.js';
import { contracts, type JobName } from '../queues/index.js';
import { handlers } from '../registry.js';
import { counted } from './job-outcome.js';
import type { Services } from './services.js';

/** Starts taking jobs from every queue of every contract. */
export function takeJobs(redis: RedisConnection, services: Services): Worker[] {
  // Every job that waits for a server listens to it, and there are more of them than Node takes for a leak.
  setMaxListeners(0, services.closing);
  return (Object.keys(contracts) as JobName[]).flatMap((name) =>
    contracts[name].queues.map((queue) => startWorker(queue, name, redis, services)),
  );
}

/** One turn of a job. What it came to is counted and not answered, for BullMQ would store it. */
function take(name: JobName, queued: QueuedJob, token: string | undefined, services: Services) {
  noteTurn(queued, services);
  return counted(services.metrics, name, queued, () => handlers[name](queued, token, services));
}

/** Nothing waits for this: a turn that is not recorded makes the order a little less fair, and no job late. */
function noteTurn({ queueName, priority }: QueuedJob, { redis, settings, log }: Services): void {
  if (!priority) return;
  turnStarted(redis, settings.redisPrefix, queueName, priority).catch((error: Error) =>
    log.debug({ error: error.message }, 'a turn was not recorded'),
  );
}

function startWorker(queue: string, name: JobName, redis: RedisConnection, services: Services): Worker {
  const { concurrency = 1 }: Contract = contracts[name];
  const worker = new Worker(queue, (queued, token) => take(name, queued, token, services), {
    connection: redis,
    prefix: services.settings.redisPrefix,
    concurrency,
    // A killed worker's job is taken up within 15 s, and however often that happens; `runJob` counts the fruitless
    // starts. With BullMQ's defaults it would wait 60 s, and the second kill would fail it. A thousand would not do: so
    // many deaths may a few hundred events that kill their worker cost all the batches in hand with them.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    drainDelay: 2,
  });
  // That Redis is away is told once for all queues, see `main.ts`.
  worker.on('error', (error) => {
    const level = /ECONN|ENOENT|connection|closed/i.test(error.message) ? 'debug' : 'warn';
    services.log[level]({ queue, error: error.message }, 'queue error');
  });
  return worker;
}
