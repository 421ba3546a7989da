import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { connectDatabase } from '../db/client/connect.js';
import { readNow } from '../db/client/now.js';
import { openProbe } from '../db/client/probe.js';
import { openReadDatabase } from '../db/client/replica/replica.js';
import { openFileStore, SHORT_DEADLINES, StoreProbe } from '../db/files/index.js';
import { ClockWatch } from '../workers/clocks/clock-watch.js';
import { INTERNET } from '../workers/outbound/network.js';
import { OutboundClient } from '../workers/outbound/outbound-client.js';
import { SmtpClient } from '../workers/outbound/smtp-client.js';
import { senderOf } from '../workers/outbox/sender.js';
import { logDatabaseMoves } from '../workers/process/database-moves.js';
import { createRegistry } from '../workers/process/metrics.js';
import { connectProducer, type RedisConnection, readRedisTime } from '../workers/queues/connection.js';
import { Producer } from '../workers/queues/producer.js';
import { Replication } from '../workers/queues/replication.js';
import { announceShards } from '../workers/queues/shards/shards-in-use.js';
import { Authenticator } from './access/auth.js';
import { FeedWaiter } from './change-feed/feed-waiter.js';
import { Intake } from './intake/intake.js';
import { JobWaiter } from './jobs/job-waiter.js';
import { FiringAlerts } from './metrics/firing-alerts.js';
import { Metrics } from './metrics/metrics.js';
import { openapiDocument } from './openapi/document.js';
import { routes } from './routes/index.js';
import { builtConsole } from './routes/operations/console-files.js';
import { createApp } from './server/app.js';
import { closeAfterResponses, closeServer, createHttpServer } from './server/server.js';
import type { ApiServices } from './services.js';
import type { ApiSettings } from './settings.js';
import { SnsCertificates } from './sns/sns-certificates.js';

/** A statement's time limit: how long a request waits for a frozen database. See also `acquireTimeoutMs`. */
const STATEMENT_TIMEOUT_MS = 1_500;
const LOOKUP_CONNECTIONS = 6;

/** Services that the caller may open, and then has to close. */
export type GivenApiServices = Partial<Pick<ApiServices, 'database' | 'probe' | 'https' | 'consoleFolder'>>;

/** An API whose server does not listen yet. */
export interface StartedApi {
  services: ApiServices;
  server: Server;
  /** Tells load balancers to send no more requests, and keeps responding for `DRAIN_S`. */
  drain(): Promise<void>;
  /** Completes requests in progress, then closes the services that `startApi` opened. */
  close(): Promise<void>;
}

/** Opens what the API needs, starts the intake, and creates the HTTP server. */
export function startApi(settings: ApiSettings, log: Logger, given: GivenApiServices = {}): StartedApi {
  const closing = new AbortController();
  const services = openServices(settings, log, closing.signal, given);
  services.clock.start(reportClocks(services.clock, log));
  services.redis.on('ready', () => void services.clock.measure());
  services.intake.start();
  const stopAnnouncing = announceShards(services.redis, settings.redisPrefix, settings.intakeShards);
  const server = createHttpServer(createApp(services), services);
  const drain = async () => {
    closing.abort();
    closeAfterResponses(server);
    await sleep(settings.drainMs);
  };
  const close = async () => {
    services.waiter.stop();
    services.feedWaiter.stop();
    await closeServer(server);
    await services.intake.stop();
    await services.clock.stop();
    stopAnnouncing();
    if (!given.https) services.https.close();
    await services.producer.close();
    if (services.redis.status !== 'end') services.redis.disconnect();
    await services.reading.close();
    if (!given.probe) await services.probe.close();
    if (!given.database) await services.database.destroy();
  };
  return { services, server, drain, close };
}

function openServices(
  settings: ApiSettings,
  log: Logger,
  closing: AbortSignal,
  given: GivenApiServices,
): ApiServices {
  const limits = { statementTimeoutMs: STATEMENT_TIMEOUT_MS, endsIdleTransactions: true };
  const database = given.database ?? connectDatabase(settings.databaseUrl, limits);
  logDatabaseMoves(settings.databaseUrl, log);
  const probe = given.probe ?? openProbe(settings.databaseUrl);
  const redis = connectProducer(settings.redisUrl);
  logOutages(redis, log);
  const { producer, replication } = openProducer(redis, settings, log);
  const files = openFileStore(settings.storageUrl, SHORT_DEADLINES);
  const https = given.https ?? new OutboundClient(INTERNET, settings.outboundAllow, settings.outboundProxy);
  const clock = new ClockWatch({
    redis: () => readRedisTime(redis, settings.redisPrefix),
    database: async () => +(await readNow(probe.database)),
  });
  const snsCertificates = new SnsCertificates(https, clock);
  const reading = openReading(settings);
  const firing = new FiringAlerts(reading);
  const intake = new Intake({ settings, database, redis, producer, clock, snsCertificates, log });
  return {
    settings,
    database,
    reading,
    probe,
    redis,
    clock,
    producer,
    replication,
    files,
    storeProbe: new StoreProbe(files),
    authenticator: new Authenticator(database, clock),
    waiter: new JobWaiter(database),
    feedWaiter: new FeedWaiter(database),
    intake,
    firing,
    metrics: new Metrics(createRegistry(settings), {
      settings,
      probe,
      redis,
      producer,
      clock,
      intake,
      firing,
    }),
    https,
    send: senderOf(https, settings.smtp && new SmtpClient(settings.smtp.server, settings.smtp.from), log),
    snsCertificates,
    openapiDocument: openapiDocument(routes, settings.publicUrl),
    consoleFolder: given.consoleFolder ?? builtConsole(),
    closing,
    log,
  };

  function openReading({ databaseUrl, databaseReadUrl, databaseReadMaxLagMs: maxLagMs }: ApiSettings) {
    // Lookups may take seconds. On separate connections they do not delay other requests.
    const lookups = connectDatabase(databaseUrl, { ...limits, poolMax: LOOKUP_CONNECTIONS });
    return openReadDatabase(lookups, databaseReadUrl, {
      ...limits,
      probe,
      maxLagMs,
      ownsPrimary: true,
    });
  }
}

/** If jobs wait for replicas, they have their own connection: Redis executes nothing else on it meanwhile. */
function openProducer(
  redis: RedisConnection,
  { redisUrl, redisPrefix, redisWaitReplicas: replicas }: ApiSettings,
  log: Logger,
) {
  const adding = replicas > 0 ? connectProducer(redisUrl) : redis;
  // The other connection reports outages. Without a listener, an error would end the process.
  if (adding !== redis) adding.on('error', () => {});
  const replication = new Replication(adding, redisPrefix, { replicas, log });
  return { producer: new Producer(adding, redisPrefix, replication), replication };
}

/** Logs once per outage that Redis is unavailable. */
function logOutages(redis: RedisConnection, log: Logger): void {
  let isDown = false;
  redis.on('error', (error: Error) => {
    if (!isDown) log.warn({ error: error.message }, 'Redis is unavailable');
    isDown = true;
  });
  redis.on('ready', () => {
    isDown = false;
  });
}

/** Returns a function that logs which clocks have become wrong, and when all are right again. Call it after each measurement. */
function reportClocks(clock: ClockWatch, log: Logger): () => void {
  let before = '';
  return () => {
    const { offsets } = clock;
    const wrong = clock.wrong.join(', ');
    if (wrong === before) return;
    before = wrong;
    if (wrong === '') log.warn('the clocks of this host, Redis and the database agree again');
    else log.error({ wrong, aheadMs: offsets, isTimeSure: clock.isSure }, MESSAGE);
  };
}

const MESSAGE =
  'clocks are more than a minute wrong; correct them with NTP. Events get the time of those that are right, or 503 if no two agree';
