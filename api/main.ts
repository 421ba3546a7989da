import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { ensureApiKey, SCOPES } from '../db/access/api-keys.js';
import { connectDatabase } from '../db/client/connect.js';
import { openProbe } from '../db/client/probe.js';
import { openReadDatabase } from '../db/client/replica.js';
import { openFileStore } from '../db/files/index.js';
import { describeError } from '../workers/process/describe-error.js';
import { createLog } from '../workers/process/log.js';
import { createRegistry } from '../workers/process/metrics.js';
import { serveMetrics } from '../workers/process/metrics-server.js';
import { shutDownOnSignal } from '../workers/process/shutdown.js';
import { connectProducer, type RedisConnection } from '../workers/queues/connection.js';
import { Producer } from '../workers/queues/producer.js';
import { Authenticator } from './access/auth.js';
import { Intake } from './intake/intake.js';
import { JobWaiter } from './jobs/job-waiter.js';
import { Metrics } from './metrics/metrics.js';
import { openapiDocument } from './openapi/document.js';
import { routes } from './routes/index.js';
import { builtConsole } from './routes/operations/console-files.js';
import { createApp } from './server/app.js';
import { closeServer, createHttpServer } from './server/server.js';
import type { Services } from './services.js';
import { type ApiSettings, readApiSettings } from './settings.js';

/** With the database frozen a request is told so after this time; see also `acquireTimeoutMs`. */
const STATEMENT_TIMEOUT_MS = 1_500;

const LOOK_UP_CONNECTIONS = 6;

/** The API's process. */
async function main(): Promise<void> {
  const settings = readApiSettings(process.env);
  const services = connect(settings);
  const { log } = services;
  services.intake.start();
  await prepare(services);
  // Building the document blocks the event loop, which nobody notices yet.
  await services.openapiDocument();
  const server = createHttpServer(createApp(services), services);
  const stopMetrics = serveMetrics(settings.metricsAddress, services.metrics, log);
  listen(server, settings, () => log.info({ host: settings.host, port: settings.port }, 'API listens'));
  shutDownOnSignal(log, async () => {
    services.waiter.stop();
    await closeServer(server);
    await services.intake.stop();
    stopMetrics();
    await services.producer.close();
    await services.reading.close();
    await services.probe.close();
    await services.database.destroy();
  });
}

function connect(settings: ApiSettings): Services {
  const log = createLog('api', settings.logLevel);
  const limits = { statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const database = connectDatabase(settings.databaseUrl, limits);
  // Look-ups may take seconds. With connections of their own they cannot take them from all other requests.
  const lookUps = connectDatabase(settings.databaseUrl, { ...limits, poolMax: LOOK_UP_CONNECTIONS });
  const probe = openProbe(settings.databaseUrl);
  const redis = connectProducer(settings.redisUrl);
  let away = false;
  redis.on('error', (error: Error) => {
    if (!away) log.warn({ error: error.message }, 'Redis cannot be reached');
    away = true;
  });
  redis.on('ready', () => {
    away = false;
  });
  const producer = new Producer(redis, settings.redisPrefix);
  const intake = new Intake({ settings, database, redis, producer, log });
  return {
    settings,
    database,
    reading: openReadDatabase(lookUps, settings.databaseReadUrl, { ...limits, probe }),
    probe,
    redis,
    producer,
    files: openFileStore(settings.storageUrl),
    authenticator: new Authenticator(database),
    waiter: new JobWaiter(database),
    intake,
    metrics: new Metrics(createRegistry(), { settings, redis, producer, intake }),
    openapiDocument: openapiDocument(routes, settings.publicUrl),
    consoleFolder: builtConsole(),
    log,
  };
}

/** A server that is away now is no reason not to listen: what needs it is answered with 503 until it is back. */
async function prepare({ settings, database, redis, intake, log }: Services): Promise<void> {
  await intake.secrets.start(die);
  const { bootstrapApiKey: key } = settings;
  redis.once('ready', () => void warnOfLoss(redis, log));
  if (!key) return;
  await ensureApiKey(database, { name: 'first key', scopes: SCOPES }, key).catch((error) => {
    log.warn({ error: describeError(error) }, 'the first API key could not be checked');
  });
}

/** What is acknowledged is only as safe as Redis keeps it. A Redis that will not say is taken at its word. */
async function warnOfLoss(redis: RedisConnection, log: Logger): Promise<void> {
  const [, fsync] = ((await redis.call('CONFIG', 'GET', 'appendfsync').catch(() => [])) as string[]) ?? [];
  if (fsync === undefined || fsync === 'always') return;
  log.warn({ appendfsync: fsync }, 'Redis may lose about 2 s of acknowledged work when its machine crashes');
}

function listen(server: Server, { host, port }: ApiSettings, listening: () => void): void {
  server.on('error', (error: NodeJS.ErrnoException) => {
    const taken =
      error.code === 'EADDRINUSE' ? `port ${port} on ${host} is taken; set PORT to another` : error.message;
    console.error(`The API cannot listen: ${taken}`);
    process.exit(1);
  });
  server.listen(port, host, listening);
}

main().catch(die);

function die(error: Error): never {
  console.error(error.message);
  process.exit(1);
}
