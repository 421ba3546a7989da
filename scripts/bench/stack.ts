import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateKeyText } from '../../db/access/api-keys.js';
import { connectDatabase, type Database } from '../../db/client/connect.js';
import { migrate } from '../../db/migrations/index.js';
import { freePort } from '../processes/free-port.js';
import { spawnNodeChild } from '../processes/node-child.js';
import { nodeOptions } from '../processes/node-options.js';
import type { RunningProcess } from '../processes/running.js';
import type { BenchContext } from './benchmark.js';

/** Starts the built API and a worker as separate processes, on the servers of the benchmark. */
export interface BenchStack {
  url: string;
  key: string;
  database: Database;
  api: RunningProcess;
  worker: RunningProcess;
  stop(): Promise<void>;
}

export const SECRET_KEY = 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz';
const STOP_GRACE_MS = 20_000;

/** @param settings environment variables of both processes */
export async function startBenchStack(
  context: BenchContext,
  settings: Record<string, string> = {},
): Promise<BenchStack> {
  const database = connectDatabase(context.databaseUrl, { acquireTimeoutMs: 10_000 });
  await migrate(database);
  const port = await freePort();
  const key = generateKeyText();
  const env = { ...benchEnvironment(context, port, key), ...settings };
  const start = (name: 'api' | 'worker', script: string): RunningProcess =>
    spawnNodeChild({
      script: fileURLToPath(new URL(script, import.meta.url)),
      nodeOptions: nodeOptions[name],
      env,
      logFile: join(context.folder, `${name}.log`),
      pidFile: join(context.folder, `${name}.pid`),
    });
  const [api, worker] = [start('api', '../../api/main.js'), start('worker', '../../workers/main.js')];
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, api);
  return {
    url,
    key,
    database,
    api,
    worker,
    stop: async () => {
      await Promise.all([api.stop(STOP_GRACE_MS), worker.stop(STOP_GRACE_MS)]);
      await database.destroy();
    },
  };
}

/** Returns the environment of the API, on that port and with that key, and of its workers. */
export const benchEnvironment = (
  context: BenchContext,
  port: number,
  key: string,
): Record<string, string | undefined> => ({
  ...process.env,
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  DATABASE_URL: context.databaseUrl,
  REDIS_URL: context.redisUrl,
  DATA_DIR: context.folder,
  PORT: String(port),
  BOOTSTRAP_API_KEY: key,
  SECRET_KEY,
});

async function untilReady(url: string, { logFile }: RunningProcess): Promise<void> {
  const giveUpAt = Date.now() + 20_000;
  while ((await fetch(`${url}/readyz`).catch(() => null))?.status !== 200) {
    if (Date.now() > giveUpAt)
      throw new Error(`the API did not become ready:\n${readFileSync(logFile, 'utf8').slice(-1_000)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
