import type { ChildProcess } from 'node:child_process';
import { generateKeyText } from '../../../db/access/api-keys.js';
import { connectDatabase } from '../../../db/client/connect.js';
import { migrate } from '../../../db/migrations/index.js';
import { connectWorker } from '../../../workers/queues/connection.js';
import { freePort } from '../../processes/free-port.js';
import { nodeOptions } from '../../processes/node-options.js';
import type { BenchContext } from '../benchmark.js';
import { endProgram, startProgram, untilResponding } from '../children.js';
import { createWebhook } from '../load.js';

const PREFIX = '{bench}';
const UNLINKED_AT_ONCE = 5_000;

/** A server that takes alerts. */
export interface Subject {
  url: string;
  process: ChildProcess;
}

/** The API and servers to compare it with. No worker processes the queue. */
export interface Field<Floor extends string> {
  api: Subject;
  floors: Record<Floor, Subject>;
  emptyQueue(): Promise<void>;
  stop(): Promise<void>;
}

/** Programs of this folder that do less than the API. */
export type FloorName = 'bare-koa' | 'adding-koa' | 'adding-same-job';

/**
 * Starts the API with an integration, and the servers that are its floors.
 * @param fsync how often Redis syncs its log
 * @param template of the integration
 */
export async function startField<Floor extends FloorName>(
  context: BenchContext,
  fsync: 'everysec' | 'always',
  floors: readonly Floor[],
  template?: string,
): Promise<Field<Floor>> {
  const database = connectDatabase(context.databaseUrl);
  await migrate(database);
  await database.destroy();
  const redis = connectWorker(context.redisUrl);
  await redis.config('SET', 'appendfsync', fsync);
  const api = await startApi(context, template);
  const started = await Promise.all(
    floors.map(async (name) => [name, await startFloor(name, context)] as const),
  );
  const emptyQueue = async () => {
    const keys = await redis.keys(`${PREFIX}:*`);
    // All at once, hundreds of thousands of arguments would overflow the stack.
    for (let at = 0; at < keys.length; at += UNLINKED_AT_ONCE)
      await redis.unlink(...keys.slice(at, at + UNLINKED_AT_ONCE));
  };
  const subjects = Object.fromEntries(started) as Record<Floor, Subject>;
  return {
    api,
    floors: subjects,
    emptyQueue,
    stop: async () => {
      const all = [api, ...started.map(([, subject]) => subject)];
      await Promise.all(all.map((subject) => endProgram(subject.process)));
      await emptyQueue();
      redis.disconnect();
    },
  };
}

async function startApi({ databaseUrl, redisUrl }: BenchContext, template?: string): Promise<Subject> {
  const port = await freePort();
  const key = generateKeyText();
  const env = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: PREFIX,
    PORT: String(port),
    BOOTSTRAP_API_KEY: key,
    SECRET_KEY: 'dGhpcyBpcyBhIHNlY3JldCBrZXkgb2YgdGhlIHRlc3Rz',
    LOG_LEVEL: 'warn',
  };
  const process = startProgram('../../api/main.js', env, nodeOptions.api);
  const url = `http://127.0.0.1:${port}`;
  await untilResponding(`${url}/healthz`);
  return { url: await createWebhook(url, key, template), process };
}

async function startFloor(name: FloorName, { redisUrl }: BenchContext): Promise<Subject> {
  const port = await freePort();
  const env = { PORT: String(port), REDIS_URL: redisUrl, REDIS_PREFIX: PREFIX };
  const process = startProgram(`./intake/${name}.js`, env);
  const url = `http://127.0.0.1:${port}/api/v1/webhook/floor`;
  await untilResponding(url);
  return { url, process };
}
