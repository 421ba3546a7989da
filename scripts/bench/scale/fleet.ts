import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateKeyText } from '../../../db/access/api-keys.js';
import { freePort } from '../../processes/free-port.js';
import { spawnNodeChild } from '../../processes/node-child.js';
import { nodeOptions } from '../../processes/node-options.js';
import type { RunningProcess } from '../../processes/running.js';
import { PREFIX } from '../backlog.js';
import type { BenchContext } from '../benchmark.js';
import { untilResponding } from '../children.js';
import { benchEnvironment } from '../stack.js';

const STOP_GRACE_MS = 20_000;

/** Several API processes on one port, and several workers, as `npm start` runs them. */
export interface Fleet {
  url: string;
  key: string;
  apis: RunningProcess[];
  workers: RunningProcess[];
  /** Starts the workers, which find what was accepted before. */
  startWorkers(): void;
  stop(): Promise<void>;
}

/** Starts the API processes. */
export async function startFleet(context: BenchContext, size: number): Promise<Fleet> {
  const port = await freePort();
  const key = generateKeyText();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...benchEnvironment(context, port, key), REDIS_PREFIX: PREFIX };
  const start = (kind: 'api' | 'worker', number: number): RunningProcess =>
    spawnNodeChild({
      script: fileURLToPath(
        new URL(`../../../${kind === 'api' ? 'api' : 'workers'}/main.js`, import.meta.url),
      ),
      nodeOptions: nodeOptions[kind],
      env,
      logFile: join(context.folder, `${kind}-${number}.log`),
      pidFile: join(context.folder, `${kind}-${number}.pid`),
      sharesPorts: kind === 'api',
    });
  const startAll = (kind: 'api' | 'worker') => Array.from({ length: size }, (_, i) => start(kind, i + 1));
  const apis = startAll('api');
  const workers: RunningProcess[] = [];
  const stop = async () => {
    await Promise.all([...apis, ...workers].map((child) => child.stop(STOP_GRACE_MS)));
  };
  try {
    await untilResponding(`${url}/healthz`);
  } catch (error) {
    await stop();
    throw error;
  }
  const startWorkers = () => void workers.push(...startAll('worker'));
  return { url, key, apis, workers, startWorkers, stop };
}
