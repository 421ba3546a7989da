import { type Job as QueuedJob, Worker } from 'bullmq';
import { checkVersion, UnknownVersion } from './queues/contracts/contract.js';
import { placeStarted } from './queues/fair-order.js';
import { contracts, type JobName } from './queues/index.js';
import { queuePrefix } from './queues/shards/queue-prefix.js';
import { handlers } from './registry.js';
import { DatabaseLost, WorkerClosing } from './run/errors.js';
import { type AttemptOutcome, countOutcome, handBack, leaveToOthers } from './run/job-outcome.js';
import type { TakenQueue } from './run/queue-watch.js';
import type { WorkerServices } from './run/services.js';
import type { UnknownVersions } from './run/unknown-versions.js';
import { contextOf, inSpan, isTracing, linksTo } from './tracing/spans.js';

/** What all queues of a worker share. */
export interface Taker {
  services: WorkerServices;
  unknown: UnknownVersions;
}

/**
 * Returns what takes jobs of a type from a queue once it runs.
 * @param changed called when a job has started or ended
 */
export function takeJobs(queue: TakenQueue, name: JobName, taker: Taker, changed = () => {}): Worker {
  const { services } = taker;
  const worker = new Worker(queue.name, (queued, token) => counted(() => take(name, queued, token, taker)), {
    connection: services.redis,
    prefix: queuePrefix(services.settings.redisPrefix, queue.name),
    concurrency: queue.concurrency,
    // Another worker takes over the job of a killed one within 15 s, any number of times; `runJob` counts the starts
    // without progress. With BullMQ's defaults this takes 60 s, and the second kill fails the job. A limit of a thousand
    // would be too low: a few hundred events that kill their worker can cost every batch in progress that many kills.
    lockDuration: 10_000,
    stalledInterval: 5_000,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    drainDelay: 2,
    autorun: false,
  });
  // `start-worker.ts` logs once for all queues that Redis is unavailable.
  worker.on('error', (error) => {
    const level = /ECONN|ENOENT|connection|closed/i.test(error.message) ? 'debug' : 'warn';
    services.log[level]({ queue: queue.name, error: error.message }, 'queue error');
  });
  return worker;

  async function counted(attempt: () => Promise<void>): Promise<void> {
    queue.taken += 1;
    queue.running += 1;
    changed();
    try {
      await attempt();
    } finally {
      queue.running -= 1;
      changed();
    }
  }
}

/** Makes one attempt at a job. Its outcome is counted, not returned: BullMQ would store it. */
async function take(
  name: JobName,
  queued: QueuedJob,
  token: string | undefined,
  taker: Taker,
): Promise<void> {
  recordPlace(queued, taker.services);
  await traceJob(queued, () =>
    countOutcome(taker.services.metrics, name, queued, () => run(name, queued, token, taker)),
  );
}

/** Runs a job whose version this release knows, and gives back any other. Gives back jobs if the database stays unavailable, too. */
async function run(
  name: JobName,
  queued: QueuedJob,
  token: string | undefined,
  { services, unknown }: Taker,
): Promise<AttemptOutcome> {
  try {
    checkVersion(contracts[name].payload, queued.data);
    return await handlers[name](queued, token, services);
  } catch (error) {
    if (error instanceof UnknownVersion) return unknown.giveBack(queued, token, error);
    if (error instanceof WorkerClosing) return handBack(queued, token);
    if (error instanceof DatabaseLost) return leaveWithoutDatabase(queued, token, services);
    throw error;
  }
}

/** Until then, a worker that reaches the database has taken the job, if there is one. */
const WITHOUT_DATABASE_MS = 2_000;

function leaveWithoutDatabase(
  queued: QueuedJob,
  token: string | undefined,
  { log }: WorkerServices,
): Promise<never> {
  log.warn(
    { job: queued.name, id: queued.id },
    'the database is unavailable; the job is left to other workers',
  );
  return leaveToOthers(queued, token, { reason: 'database_lost', waitMs: WITHOUT_DATABASE_MS });
}

/** Records the job's place in the fair order in the background. If that fails, the order is slightly less fair, and no job is late. */
function recordPlace({ queueName, priority }: QueuedJob, { redis, settings, log }: WorkerServices): void {
  if (!priority) return;
  placeStarted(redis, settings.redisPrefix, queueName, priority).catch((error: Error) =>
    log.debug({ error: error.message }, 'a place in the fair order was not recorded'),
  );
}

/** What the payload of a job may say about the requests that it came from. */
interface Traced {
  traceparent?: unknown;
  traceparents?: unknown;
}

/**
 * Makes one attempt at a job within a span. The span belongs to the trace of the job's request. A batch of events of several requests
 * has a trace of its own, with a link to each of them.
 */
function traceJob(queued: QueuedJob, attempt: () => Promise<void>): Promise<void> {
  if (!isTracing()) return attempt();
  const { name, queueName, id = '' } = queued;
  const { traceparent, traceparents }: Traced = queued.data ?? {};
  const all = Array.isArray(traceparents) ? traceparents.filter((one) => typeof one === 'string') : [];
  const attributes = {
    'messaging.system': 'bullmq',
    'messaging.operation.type': 'process',
    'messaging.destination.name': queueName,
    'messaging.message.id': id,
  };
  const parent = contextOf(traceparent ?? (all.length === 1 ? all[0] : undefined));
  return inSpan(`process ${name}`, { kind: 'CONSUMER', attributes, parent, links: linksTo(all) }, attempt);
}
