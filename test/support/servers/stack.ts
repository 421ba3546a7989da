import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { Authenticator } from '../../../api/access/auth.js';
import { Intake } from '../../../api/intake/intake.js';
import { JobWaiter } from '../../../api/jobs/job-waiter.js';
import { Metrics } from '../../../api/metrics/metrics.js';
import { openapiDocument } from '../../../api/openapi/document.js';
import { routes } from '../../../api/routes/index.js';
import { builtConsole } from '../../../api/routes/operations/console-files.js';
import { createApp } from '../../../api/server/app.js';
import { createHttpServer } from '../../../api/server/server.js';
import type { Services as ApiServices } from '../../../api/services.js';
import { readApiSettings } from '../../../api/settings.js';
import { createApiKey, SCOPES, type Scope } from '../../../db/access/api-keys.js';
import { openProbe } from '../../../db/client/probe.js';
import { openReadDatabase } from '../../../db/client/replica.js';
import { openFileStore } from '../../../db/files/index.js';
import { createRegistry } from '../../../workers/process/metrics.js';
import { connectProducer, connectWorker } from '../../../workers/queues/connection.js';
import { beat } from '../../../workers/queues/heartbeat.js';
import { Producer } from '../../../workers/queues/producer.js';
import { WorkerMetrics } from '../../../workers/run/metrics.js';
import { readWorkerSettings } from '../../../workers/run/settings.js';
import { takeJobs } from '../../../workers/run/take-jobs.js';
import { createTestDatabase } from './database.js';

export type Stack = Awaited<ReturnType<typeof startStack>>;

interface StackOptions {
  env?: Record<string, string>;
  /** False: nobody takes jobs, so they stay queued. */
  worker?: boolean;
  /** The console to serve, if not the one that was built. */
  consoleFolder?: string;
}

/** An API and a worker inside the test's process, on a database, a Redis prefix and a folder of their own. */
export async function startStack({
  env = {},
  worker = true,
  consoleFolder = builtConsole(),
}: StackOptions = {}) {
  const testDatabase = await createTestDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'muster-stack-'));
  const prefix = `{t${randomUUID().slice(0, 8)}}`;
  const allEnv = {
    DATABASE_URL: testDatabase.url,
    REDIS_URL: process.env.TEST_REDIS_URL as string,
    REDIS_PREFIX: prefix,
    DATA_DIR: folder,
    SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
    STORAGE_URL: pathToFileURL(join(folder, 'files')).href,
    ...env,
  };
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const files = openFileStore(allEnv.STORAGE_URL);
  const probe = openProbe(testDatabase.url);
  const reading = openReadDatabase(testDatabase.database, readWorkerSettings(allEnv).databaseReadUrl, {
    probe,
  });
  const api = startApi();
  const crew = worker ? startWorker() : null;
  await api.listening;

  function startApi() {
    const settings = readApiSettings(allEnv);
    const redis = connectProducer(allEnv.REDIS_URL);
    redis.on('error', () => {});
    const { database } = testDatabase;
    const producer = new Producer(redis, prefix);
    const intake = new Intake({ settings, database, redis, producer, log });
    const services: ApiServices = {
      settings,
      database,
      reading,
      probe,
      redis,
      producer,
      files,
      authenticator: new Authenticator(database),
      waiter: new JobWaiter(database),
      intake,
      metrics: new Metrics(createRegistry(), { settings, redis, producer, intake }),
      openapiDocument: openapiDocument(routes, settings.publicUrl),
      consoleFolder,
      log,
    };
    services.intake.start();
    const server = createHttpServer(createApp(services), services);
    const ready = new Promise<void>((resolve) =>
      redis.status === 'ready' ? resolve() : redis.once('ready', resolve),
    );
    const listening = new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)).then(
      () => ready,
    );
    return { server, services, listening };
  }

  function startWorker() {
    const closing = new AbortController();
    const redis = connectWorker(allEnv.REDIS_URL);
    redis.on('error', () => {});
    const settings = readWorkerSettings(allEnv);
    const { database } = testDatabase;
    const producer = new Producer(redis, prefix);
    const metrics = new WorkerMetrics(createRegistry(), redis);
    const services = {
      settings,
      database,
      reading,
      redis,
      files,
      producer,
      metrics,
      closing: closing.signal,
      log,
    };
    const workers = takeJobs(redis, services);
    const alive = beat(redis, prefix, 'test');
    return {
      services,
      close: async () => {
        closing.abort();
        await alive;
        await Promise.all(workers.map((one) => one.close()));
        await producer.close();
      },
    };
  }

  const { port } = api.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    folder,
    prefix,
    files,
    lines,
    env: allEnv,
    database: testDatabase.database,
    api: api.services,
    server: api.server,
    worker: crew?.services ?? null,
    /** The text of a new key; all scopes unless told otherwise. */
    key: async (...scopes: Scope[]) => {
      const key = { name: 'test', scopes: scopes.length > 0 ? scopes : SCOPES };
      return (await createApiKey(testDatabase.database, key)).text;
    },
    /** Closes the worker as SIGTERM does: jobs go back to their queues. */
    closeWorker: async () => crew?.close(),
    stop: async () => {
      await crew?.close();
      api.server.closeAllConnections();
      await new Promise((resolve) => api.server.close(resolve));
      await api.services.intake.stop();
      await api.services.producer.close();
      await reading.close();
      await probe.close();
      await testDatabase.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
