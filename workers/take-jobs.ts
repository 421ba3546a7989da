import { setMaxListeners } from 'node:events';
import { type Job as QueuedJob, Worker } from 'bullmq';
import type { RedisConnection } from './queues/connection.js';
import { type Contract, checkVersion, UnknownVersion } from './queues/contracts/contract.js';
import { turnStarted } from './queues/fair-order.js';
import { contracts, type JobName } from './queues/index.js';
import { handlers } from './registry.js';
import { countOutcome, type Outcome } from './run/job-outcome.js';
import type { TakenQueue } from './run/queue-watch.js';
import type { Services } from './run/services.js';
import { UnknownVersions } from './run/unknown-versions.js';

/** A queue with what takes its jobs. */
interface Taking {
  queue: TakenQueue;
  worker: Worker;
}

/** What all queues of a worker share. */
interface Taker {
  services: Services;
  unknown: UnknownVersions;
}

/** Starts taking jobs from every queue of every contract. */
export function takeJobs(redis: RedisConnection, services: Services): Taking[] {
  // Every waiting job listens to this signal. Node would warn of a leak.
  setMaxListeners(0, services.closing);
  const taker: Taker = { services, unknown: new UnknownVersions(services.log) };
  return (Object.keys(contracts) as JobName[]).flatMap((name) => {
    const { queues, concurrency = 1, globalConcurrency }: Contract = contracts[name];
    return queues.map((queue) => {
      const taken: TakenQueue = {
        name: queue,
        concurrency,
        ...(globalConcurrency && { globalConcurrency }),
        running: 0,
        taken: 0,
      };
      return { queue: taken, worker: startWorker(taken, name, redis, taker) };
    });
  });
}

/** Runs one turn of a job. Its outcome is counted, not returned: BullMQ would store it. */
async function take(
  queue: TakenQueue,
  name: JobName,
  queued: QueuedJob,
  token: string | undefined,
  taker: Taker,
): Promise<void> {
  queue.taken += 1;
  queue.running += 1;
  try {
    recordTurn(queued, taker.services);
    await countOutcome(taker.services.metrics, name, queued, () => run(name, queued, token, taker));
  } finally {
    queue.running -= 1;
  }
}

/** Runs a job whose version this release knows, and gives back any other. */
async function run(
  name: JobName,
  queued: QueuedJob,
  token: string | undefined,
  { services, unknown }: Taker,
): Promise<Outcome> {
  try {
    checkVersion(contracts[name].payload, queued.data);
    return await handlers[name](queued, token, services);
  } catch (error) {
    if (error instanceof UnknownVersion) return unknown.giveBack(queued, token, error);
    throw error;
  }
}

/** Records the job's turn in the background. If that fails, the order is slightly less fair, and no job is late. */
function recordTurn({ queueName, priority }: QueuedJob, { redis, settings, log }: Services): void {
  if (!priority) return;
  turnStarted(redis, settings.redisPrefix, queueName, priority).catch((error: Error) =>
    log.debug({ error: error.message }, 'a turn was not recorded'),
  );
}

function startWorker(queue: TakenQueue, name: JobName, redis: RedisConnection, taker: Taker): Worker {
  const { services } = taker;
  const worker = new Worker(queue.name, (queued, token) => take(queue, name, queued, token, taker), {
    connection: redis,
    prefix: services.settings.redisPrefix,
    concurrency: queue.concurrency,
    // Another worker takes over the job of a killed one within 15 s, any number of times; `runJob` counts the starts
    // without progress. With BullMQ's defaults this takes 60 s, and the second kill fails the job. A limit of a thousand
    // would be too low: a few hundred events that kill their worker can cost every batch in progress that many kills.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    drainDelay: 2,
  });
  // `start-worker.ts` logs once for all queues that Redis is unavailable.
  worker.on('error', (error) => {
    const level = /ECONN|ENOENT|connection|closed/i.test(error.message) ? 'debug' : 'warn';
    services.log[level]({ queue: queue.name, error: error.message }, 'queue error');
  });
  return worker;
}
