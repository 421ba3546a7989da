import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { createBullBoard } from '@bull-board/api';
import type { Middleware } from 'koa';
import { allQueues } from '../../workers/queues/index.js';
import type { Services } from '../services.js';
import { BoardServer } from './board-server.js';
import { RedactedQueue } from './redacted-queue.js';

/** Found and not loaded, for it is files alone. */
const uiBasePath = dirname(createRequire(import.meta.url).resolve('@bull-board/ui/package.json'));

/** bull-board over all queues, to be mounted at `basePath`. It takes 50 ms to load: import it when it is asked for. */
export function createBoard(
  basePath: string,
  { producer, redis }: Pick<Services, 'producer' | 'redis'>,
): Middleware {
  const serverAdapter = new BoardServer(basePath);
  const queues = allQueues().map((name) => new RedactedQueue(producer.queue(name), redis));
  const uiConfig = {
    boardTitle: 'Muster queues',
    hideDocsLink: true,
    // The health page has them; here each look would have Redis list all its clients, once a queue.
    showWorkers: false,
    miscLinks: [{ text: 'Console', url: '/health' }],
  };
  createBullBoard({ queues, serverAdapter, options: { uiBasePath, uiConfig } });
  return serverAdapter.routes((work) => producer.whileReady(work));
}
