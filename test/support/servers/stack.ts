import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { builtConsole } from '../../../api/routes/operations/console-files.js';
import { readApiSettings } from '../../../api/settings.js';
import { type StartedApi, startApi } from '../../../api/start-api.js';
import { createApiKey, SCOPES, type Scope } from '../../../db/access/api-keys.js';
import { openProbe } from '../../../db/client/probe.js';
import type { OutboundClient } from '../../../workers/outbound/outbound-client.js';
import { readWorkerSettings } from '../../../workers/run/settings.js';
import { startWorker } from '../../../workers/start-worker.js';
import { runWriter } from '../run-writer.js';
import { createTestDatabase } from './database.js';

export type Stack = Awaited<ReturnType<typeof startStack>>;

interface StackOptions {
  env?: Record<string, string>;
  /** False: no worker takes jobs, so they stay queued. */
  worker?: boolean;
  /** The console to serve. Default: the built one. */
  consoleFolder?: string;
  /** For requests to other hosts. Default: the internet. */
  https?: OutboundClient;
}

/** Starts an API and a worker inside the test's process, with a separate database, Redis prefix and folder. */
export async function startStack({
  env = {},
  worker = true,
  consoleFolder = builtConsole(),
  https,
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
  const probe = openProbe(testDatabase.url);
  const { database } = testDatabase;
  const api = startApi(readApiSettings(allEnv), log, {
    database,
    probe,
    consoleFolder,
    ...(https && { https }),
  });
  const started = worker ? startWorker(readWorkerSettings(allEnv), log, { database, runWriter }) : null;
  await listen(api);

  const { port } = api.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    folder,
    prefix,
    files: api.services.files,
    lines,
    env: allEnv,
    database,
    api: api.services,
    server: api.server,
    worker: started?.services ?? null,
    /** Creates a key and returns its text. Default: all scopes. */
    key: async (...scopes: Scope[]) => {
      const key = { name: 'test', scopes: scopes.length > 0 ? scopes : SCOPES };
      return (await createApiKey(database, key)).text;
    },
    /** Closes the worker as SIGTERM does: jobs go back to their queues. */
    closeWorker: async () => started?.close(),
    stop: async () => {
      await started?.close();
      api.server.closeAllConnections();
      await api.close();
      await probe.close();
      await testDatabase.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Listens on a free port, and waits until Redis is connected. */
async function listen({ server, services: { redis } }: StartedApi): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  if (redis.status !== 'ready') await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
}
