import { Queue } from 'bullmq';
import { WRITTEN_TABLES } from '../db/access/grants.js';
import { beatForReplicas, REPLICA_BEAT_MS } from '../db/client/replica/replica.js';
import { StoreProbe } from '../db/files/index.js';
import { sweepSpools } from './identities/spool/spool-folders.js';
import { describeError } from './process/describe-error.js';
import { createLog } from './process/log.js';
import { serveMetrics } from './process/metrics-server.js';
import { shutDownOnSignal } from './process/shutdown.js';
import { scheduleUpkeep, UPKEEP_EVERY_MS, upkeep } from './queues/contracts/upkeep.js';
import { QueueWatch, type TakenQueue } from './run/queue-watch.js';
import type { WorkerServices } from './run/services.js';
import { readWorkerSettings } from './run/settings.js';
import { startWorker } from './start-worker.js';
import { startTracing } from './tracing/start.js';

const READY_WITHIN_MS = 1_500;
/** Here, because this file alone has the same place in the sources and in the bundles. */
const runWriter = new URL('./identities/spool/run-writer-thread.js', import.meta.url);

/** A worker's process. It takes jobs from every queue; any number of workers may run. */
async function main(): Promise<void> {
  const settings = readWorkerSettings(process.env);
  const log = createLog('worker', settings.logLevel);
  const stopTracing = await startTracing({
    service: 'muster-worker',
    tables: WRITTEN_TABLES,
    env: process.env,
    log,
  });
  const { services, probe, queues, isHeld, close } = startWorker(settings, log, { runWriter });
  const storeProbe = new StoreProbe(services.files);
  const stopMetrics = serveMetrics(settings.metricsAddress, services.metrics, log, async () => {
    const [database, storage] = await Promise.all([
      probe.responds(READY_WITHIN_MS),
      storeProbe.responds(READY_WITHIN_MS),
    ]);
    return { redis: services.redis.status === 'ready', database, storage, clock: !isHeld() };
  });
  const stopReplicaBeats = settings.databaseReadUrl ? startReplicaBeats(services) : () => {};
  const stopWatch = exitWhenStuck(services, queues, isHeld);
  const stopUpkeep = keepUpkeepScheduled(services, isHeld);
  sweepSpools(services);
  log.info({ queues: queues.map(({ name }) => name) }, 'worker takes jobs');
  shutDownOnSignal(log, async () => {
    stopWatch();
    stopUpkeep();
    stopReplicaBeats();
    await close();
    stopMetrics();
    await stopTracing();
  });
}

/**
 * Exits with 1 if this worker has stopped taking jobs from a queue, so that its supervisor starts another one. Jobs in progress are
 * taken over and resumed, as after a crash.
 */
function exitWhenStuck(
  { redis, settings, log }: WorkerServices,
  queues: readonly TakenQueue[],
  isHeld: () => boolean,
): () => void {
  return new QueueWatch({ redis, prefix: settings.redisPrefix, queues, isHeld, log }).start((stuck) => {
    log.fatal({ queues: stuck }, 'jobs wait in these queues, but this worker takes none; it exits');
    process.exit(1);
  });
}

/** Schedules upkeep, once Redis is available, and again every minute: Redis may lose the schedule, and clocks may be set back. */
function keepUpkeepScheduled(services: WorkerServices, isHeld: () => boolean): () => void {
  const keep = () => {
    // The time of the next turn would be that of a wrong clock.
    if (!isHeld()) void schedule(services);
  };
  void services.clock.measure().then(keep);
  const timer = setInterval(keep, UPKEEP_EVERY_MS);
  return () => clearInterval(timer);
}

async function schedule({ redis, settings, log }: WorkerServices): Promise<void> {
  const queue = new Queue(upkeep.queues[0], { connection: redis, prefix: settings.redisPrefix });
  queue.on('error', () => {});
  await scheduleUpkeep(queue).catch((error) => log.warn({ error: error.message }, 'upkeep is not scheduled'));
  await queue.close();
}

/** Writes the primary's time every second, so that every process can tell how far the replica is behind. */
function startReplicaBeats({ database, log }: WorkerServices): () => void {
  const timer = setInterval(() => {
    beatForReplicas(database).catch((error) =>
      log.debug({ error: describeError(error) }, 'replica heartbeat failed'),
    );
  }, REPLICA_BEAT_MS);
  return () => clearInterval(timer);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
