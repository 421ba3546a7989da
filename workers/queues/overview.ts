import type { RedisConnection } from './connection.js';
import { type QueueDepth, queueDepths } from './depth.js';
import { livingWorkers, type WorkerBeat } from './heartbeat.js';
import { allQueues } from './index.js';
import { pendingEvents } from './intake-gauge.js';

/** The state of all queues and workers. */
export interface Overview {
  /** The depths of all queues. */
  depths: QueueDepth[];
  /** Events acknowledged with 202 but not yet stored, of all integrations. */
  eventsPending: number;
  workers: WorkerBeat[];
}

/** Reads the overview. It takes as long as a command of the connection may take. */
export async function readOverview(redis: RedisConnection, prefix: string): Promise<Overview> {
  const [depths, pending, workers] = await Promise.all([
    queueDepths(redis, prefix, allQueues()),
    pendingEvents(redis, prefix),
    livingWorkers(redis, prefix),
  ]);
  return { depths, eventsPending: [...pending.values()].reduce((sum, events) => sum + events, 0), workers };
}
