import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { WRITTEN_TABLES } from '../db/access/grants.js';
import { describeError } from '../workers/process/describe-error.js';
import { createLog } from '../workers/process/log.js';
import { serveMetrics } from '../workers/process/metrics-server.js';
import { shutDownOnSignal } from '../workers/process/shutdown.js';
import type { RedisConnection } from '../workers/queues/connection.js';
import { startTracing } from '../workers/tracing/start.js';
import { ensureFirstKey } from './access/first-key.js';
import type { ApiServices } from './services.js';
import { type ApiSettings, readApiSettings } from './settings.js';
import { startApi } from './start-api.js';

/** The API's process. */
async function main(): Promise<void> {
  const settings = readApiSettings(process.env);
  const log = createLog('api', settings.logLevel);
  const stopTracing = await startTracing({
    service: 'muster-api',
    tables: WRITTEN_TABLES,
    env: process.env,
    log,
  });
  const { services, server, drain, close } = startApi(settings, log);
  await prepare(services);
  const stopMetrics = serveMetrics(settings.metricsAddress, services.metrics, log);
  listen(server, settings, () => log.info({ host: settings.host, port: settings.port }, 'API listens'));
  const stop = async () => {
    await close();
    stopMetrics();
    await stopTracing();
  };
  shutDownOnSignal(log, stop, drain);
}

/** Prepares for the first request. The API also starts without its servers: requests that need one get 503. */
async function prepare({ settings, database, redis, intake, log }: ApiServices): Promise<void> {
  await intake.secrets.start(exitWith);
  const { bootstrapApiKey: key } = settings;
  redis.once('ready', () => void warnOfLoss(redis, log));
  if (!key) return;
  await ensureFirstKey(database, key).catch((error) => {
    log.warn({ error: describeError(error) }, 'the first API key could not be checked');
  });
}

/** Warns if Redis may lose acknowledged work. Some servers do not return their settings; then there is no warning. */
async function warnOfLoss(redis: RedisConnection, log: Logger): Promise<void> {
  const [, fsync] = ((await redis.call('CONFIG', 'GET', 'appendfsync').catch(() => [])) as string[]) ?? [];
  if (fsync === undefined || fsync === 'always') return;
  log.warn(
    { appendfsync: fsync },
    'Redis may lose about 2 s of acknowledged work when it is killed or its machine crashes',
  );
}

function listen(server: Server, { host, port }: ApiSettings, listening: () => void): void {
  server.on('error', (error: NodeJS.ErrnoException) => {
    const reason =
      error.code === 'EADDRINUSE'
        ? `port ${port} on ${host} is in use; set PORT to another port`
        : error.message;
    console.error(`The API cannot listen: ${reason}`);
    process.exit(1);
  });
  server.listen(port, host, listening);
}

function exitWith(error: Error): never {
  console.error(error.message);
  process.exit(1);
}

main().catch(exitWith);
