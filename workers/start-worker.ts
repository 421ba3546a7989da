import { hostname } from 'node:os';
import type { Logger } from 'pino';
import { uuidv7 } from 'uuidv7';
import { connectDatabase } from '../db/client/connect.js';
import { readNow } from '../db/client/now.js';
import { type DatabaseProbe, openProbe } from '../db/client/probe.js';
import { openReadDatabase } from '../db/client/replica/replica.js';
import { openFileStore } from '../db/files/index.js';
import { ClockGuard } from './clock-guard.js';
import { ClockWatch } from './clocks/clock-watch.js';
import { JobTaker } from './job-taker.js';
import { INTERNET, type Network } from './outbound/network.js';
import { OutboundClient } from './outbound/outbound-client.js';
import { rememberLookups } from './outbound/remembered-lookups.js';
import { SmtpClient } from './outbound/smtp-client.js';
import type { Delivery } from './outbox/delivery.js';
import { presetOf } from './outbox/presets/index.js';
import { Pump } from './outbox/pump.js';
import { senderOf } from './outbox/sender.js';
import { logDatabaseMoves } from './process/database-moves.js';
import { createRegistry } from './process/metrics.js';
import { SecretBox } from './process/secret-box.js';
import { connectWorker, type RedisConnection, readRedisTime } from './queues/connection.js';
import { BEAT_EVERY_MS, beat, endBeat } from './queues/heartbeat.js';
import { Producer } from './queues/producer.js';
import { WorkerMetrics } from './run/metrics.js';
import type { TakenQueue } from './run/queue-watch.js';
import { outage } from './run/retry-while-unavailable.js';
import type { WorkerServices } from './run/services.js';
import type { WorkerSettings } from './run/settings.js';

/** For events (four groups are written at a time, each in two transactions), exports and reads. */
const OTHER_CONNECTIONS = 8;
/** With one lane, too: fewer could be too few for events and exports at the same time. */
const LEAST_CONNECTIONS = 14;

/** What the caller knows, and services that it may open and then has to close. */
export type GivenWorkerServices = Pick<WorkerServices, 'runWriter'> &
  Partial<Pick<WorkerServices, 'database'>> & {
    /** How requests reach destinations. */
    network?: Network;
  };

/** A worker that takes jobs. */
export interface StartedWorker {
  services: WorkerServices;
  /** Checks whether the database responds, on connections of its own. */
  probe: DatabaseProbe;
  /** The queues that it takes jobs from. */
  queues: readonly TakenQueue[];
  /** Whether it takes no jobs, because this host's clock is wrong. */
  isHeld(): boolean;
  /** Stops at the next safe points: unfinished jobs go back to their queues. */
  close(): Promise<void>;
}

/** Opens what a worker needs, and starts to take jobs. */
export function startWorker(
  settings: WorkerSettings,
  log: Logger,
  given: GivenWorkerServices,
): StartedWorker {
  const closing = new AbortController();
  outage.since = null;
  outage.keepJobsMs = settings.databaseKeepJobsMs;
  const probe = openProbe(settings.databaseUrl);
  const network = given.network ?? { ...INTERNET, resolve: rememberLookups(INTERNET.resolve) };
  const outbound = new OutboundClient(network, settings.outboundAllow, settings.outboundProxy);
  const services = openServices(settings, log, { closing: closing.signal, probe, outbound, ...given });
  const pump = new Pump(deliveryOf(services, outbound), settings.secretKey !== null);
  services.wakeOutbox = () => pump.wake();
  const { redis, producer, reading, database, clock } = services;
  const taker = new JobTaker(services);
  const guard = new ClockGuard(services, taker);
  const beats = startBeating(redis, settings.redisPrefix, () => guard.reason);
  const check = () => {
    if (guard.check()) beats.send();
  };
  clock.start(check);
  pump.start();
  redis.on('ready', () => void clock.measure().then(check));
  return {
    services,
    probe,
    queues: taker.queues,
    isHeld: () => taker.isHeld,
    close: async () => {
      closing.abort();
      await clock.stop();
      await taker.close();
      await pump.close();
      outbound.close();
      await beats.stop();
      await producer.close();
      await reading.close();
      await probe.close();
      if (!given.database) await database.destroy();
    },
  };
}

function openServices(
  settings: WorkerSettings,
  log: Logger,
  {
    closing,
    probe,
    outbound,
    ...given
  }: GivenWorkerServices & Pick<WorkerServices, 'closing' | 'outbound'> & { probe: DatabaseProbe },
): WorkerServices {
  const database =
    given.database ??
    connectDatabase(settings.databaseUrl, { endsIdleTransactions: true, poolMax: connectionsFor(settings) });
  logDatabaseMoves(settings.databaseUrl, log);
  const redis = connectWorker(settings.redisUrl);
  logOutages(redis, log);
  const clock = new ClockWatch({
    redis: () => readRedisTime(redis, settings.redisPrefix),
    database: async () => +(await readNow(probe.database)),
  });
  return {
    settings,
    database,
    reading: openReadDatabase(database, settings.databaseReadUrl, {
      maxLagMs: settings.databaseReadMaxLagMs,
    }),
    redis,
    clock,
    files: openFileStore(settings.storageUrl),
    producer: new Producer(redis, settings.redisPrefix),
    metrics: new WorkerMetrics(createRegistry(settings), redis, clock),
    runWriter: given.runWriter,
    outbound,
    wakeOutbox: () => {},
    closing,
    log,
  };
}

/** Returns what sending messages to destinations needs. */
function deliveryOf(
  { database, log, clock, closing, settings, metrics }: WorkerServices,
  outbound: OutboundClient,
): Delivery {
  const { secretKey, secretKeyOld, publicUrl } = settings;
  const box = secretKey === null ? null : new SecretBox(secretKey, secretKeyOld);
  return {
    database,
    log,
    closing,
    publicUrl,
    now: () => clock.now(),
    presetOf,
    count: (preset, outcome, seconds) => metrics.countAttempt(preset, outcome, seconds),
    open: (sealed, owner) => box?.open(sealed, owner) ?? null,
    send: senderOf(outbound, settings.smtp && new SmtpClient(settings.smtp.server, settings.smtp.from), log),
  };
}

/** Returns the most connections to the database. Two imports (a small and a large upload) and a revert write on one for each of their lanes. */
const connectionsFor = ({ importLanes }: WorkerSettings): number =>
  Math.max(LEAST_CONNECTIONS, 3 * importLanes + OTHER_CONNECTIONS);

/** Logs once that Redis is unavailable, and once that it is available again. */
function logOutages(redis: RedisConnection, log: Logger): void {
  let isDown = false;
  redis.on('error', (error: Error) => {
    if (!isDown)
      log.warn({ error: error.message }, 'Redis is unavailable; the worker keeps trying to connect');
    isDown = true;
  });
  redis.on('ready', () => {
    if (isDown) log.warn('Redis is available again');
    isDown = false;
  });
}

/** Sends a heartbeat every 2 s, and when `send` is called. `stop` removes this worker from the list. */
function startBeating(
  redis: RedisConnection,
  prefix: string,
  held: () => string | null,
): { send: () => void; stop: () => Promise<void> } {
  const id = `${hostname()}-${process.pid}-${uuidv7()}`;
  let last = Promise.resolve();
  const send = () => {
    last = beat(redis, prefix, id, held()).catch(() => {});
  };
  send();
  const timer = setInterval(send, BEAT_EVERY_MS);
  const stop = async () => {
    clearInterval(timer);
    if (redis.status !== 'ready') return;
    await last;
    await endBeat(redis, prefix, id).catch(() => {});
  };
  return { send, stop };
}
