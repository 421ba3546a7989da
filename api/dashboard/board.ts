import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import type { Middleware } from 'koa';
import { allQueues } from '../../workers/queues/index.js';
import { intakeQueuesInUse } from '../../workers/queues/shards/shards-in-use.js';
import type { ApiServices } from '../services.js';
import { BoardServer } from './board-server.js';
import { RedactedQueue } from './redacted-queue.js';

/** The package's folder. It contains only static files. */
const uiBasePath = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

/**
 * Returns bull-board for all queues and the shards in use, mounted at `basePath`. Loading it takes 50 ms, so import this module on
 * first use.
 */
export async function createBoard(
  basePath: string,
  { producer, redis, settings }: Pick<ApiServices, 'producer' | 'redis' | 'settings'>,
): Promise<Middleware> {
  const serverAdapter = new BoardServer(basePath);
  const shards = await producer.whileReady(() => intakeQueuesInUse(redis, settings.redisPrefix));
  const names = [...new Set([...allQueues(), ...shards])];
  const queues = names.map((name) => new RedactedQueue(producer.queue(name), redis));
  const uiConfig = {
    boardTitle: 'Muster queues',
    hideDocsLink: true,
    // The health page shows them. Here, each request would list all clients of Redis once per queue.
    showWorkers: false,
    miscLinks: [{ text: 'Console', url: '/health' }],
  };
  createBullBoard({ queues, serverAdapter, options: { uiBasePath, uiConfig } });
  return serverAdapter.routes((work) => producer.whileReady(work));
}
