import type { RedisConnection } from './connection.js';
import { type QueueDepth, queueDepths } from './depth.js';
import { livingWorkers, type WorkerBeat } from './heartbeat.js';
import { allQueues } from './index.js';
import { pendingEvents } from './intake-gauge.js';

/** What waits, and who is there to do it. */
export interface Overview {
  /** Of every queue of every contract. */
  depths: QueueDepth[];
  /** Events on their way from 202 to the database, of all integrations together. */
  eventsPending: number;
  workers: WorkerBeat[];
}

/** Reads all of it at once. Takes as long as the connection's commands may take. */
export async function readOverview(redis: RedisConnection, prefix: string): Promise<Overview> {
  const [depths, pending, workers] = await Promise.all([
    queueDepths(redis, prefix, allQueues()),
    pendingEvents(redis, prefix),
    livingWorkers(redis, prefix),
  ]);
  return { depths, eventsPending: [...pending.values()].reduce((sum, events) => sum + events, 0), workers };
}
