import { hostname } from 'node:os';
import { Queue } from 'bullmq';
import type { Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import { connectDatabase } from '../db/client/connect.js';
import { beatForReplicas, openReadDatabase, REPLICA_BEAT_MS } from '../db/client/replica.js';
import { openFileStore } from '../db/files/index.js';
import { sweepSpools } from './identities/spool/spool-folders.js';
import { describeError } from './process/describe-error.js';
import { createLog } from './process/log.js';
import { createRegistry } from './process/metrics.js';
import { serveMetrics } from './process/metrics-server.js';
import { shutDownOnSignal } from './process/shutdown.js';
import { connectWorker, type RedisConnection } from './queues/connection.js';
import { scheduleUpkeep, upkeep } from './queues/contracts/upkeep.js';
import { BEAT_EVERY_MS, beat, endBeat } from './queues/heartbeat.js';
import { Producer } from './queues/producer.js';
import { WorkerMetrics } from './run/metrics.js';
import type { Services } from './run/services.js';
import { readWorkerSettings } from './run/settings.js';
import { takeJobs } from './run/take-jobs.js';

/** A worker's process: it takes jobs from every queue. As many of them may run as are wanted. */
async function main(): Promise<void> {
  const settings = readWorkerSettings(process.env);
  const log = createLog('worker', settings.logLevel);
  const closing = new AbortController();
  const database = connectDatabase(settings.databaseUrl);
  const redis = connectWorker(settings.redisUrl);
  warnOnce(redis, log);
  const files = openFileStore(settings.storageUrl);
  const producer = new Producer(redis, settings.redisPrefix);
  const reading = openReadDatabase(database, settings.databaseReadUrl);
  const services: Services = {
    settings,
    database,
    reading,
    redis,
    files,
    producer,
    metrics: new WorkerMetrics(createRegistry(), redis),
    closing: closing.signal,
    log,
  };
  const workers = takeJobs(redis, services);
  const stopBeating = startBeating(redis, settings.redisPrefix);
  const stopMetrics = serveMetrics(settings.metricsAddress, services.metrics, log);
  const stopReplicaBeats = settings.databaseReadUrl ? startReplicaBeats(services) : () => {};
  void startUpkeep(redis, services);
  sweepSpools(services);
  log.info({ queues: workers.map(({ name }) => name) }, 'worker takes jobs');
  shutDownOnSignal(log, async () => {
    closing.abort();
    await Promise.all(workers.map((worker) => worker.close()));
    await stopBeating();
    stopReplicaBeats();
    stopMetrics();
    await producer.close();
    await reading.close();
    await database.destroy();
  });
}

/** Says once that Redis is away, and once that it is back. */
function warnOnce(redis: RedisConnection, log: Logger): void {
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) log.warn({ error: error.message }, 'Redis cannot be reached; trying on');
    away = true;
  });
  redis.on('ready', () => {
    if (away) log.warn('Redis is back');
    away = false;
  });
}

/** Schedules upkeep. While Redis is unavailable, this waits. */
async function startUpkeep(redis: RedisConnection, { settings, log }: Services): Promise<void> {
  const queue = new Queue(upkeep.queues[0], { connection: redis, prefix: settings.redisPrefix });
  queue.on('error', () => {});
  await scheduleUpkeep(queue).catch((error) => log.warn({ error: error.message }, 'upkeep is not scheduled'));
  await queue.close();
}

/** Says every 2 s that this worker lives, until it is told to stop. */
function startBeating(redis: RedisConnection, prefix: string): () => Promise<void> {
  const id = `${hostname()}-${process.pid}-${uuidv7()}`;
  const say = () => void beat(redis, prefix, id).catch(() => {});
  say();
  const timer = setInterval(say, BEAT_EVERY_MS);
  return async () => {
    clearInterval(timer);
    if (redis.status === 'ready') await endBeat(redis, prefix, id).catch(() => {});
  };
}

/** Says every second how late it is, so that whoever reads from a replica knows how far behind it is. */
function startReplicaBeats({ database, log }: Services): () => void {
  const timer = setInterval(() => {
    beatForReplicas(database).catch((error) => log.debug({ error: describeError(error) }, 'no replica beat'));
  }, REPLICA_BEAT_MS);
  return () => clearInterval(timer);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
