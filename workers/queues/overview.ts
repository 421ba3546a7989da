import type { RedisConnection } from './connection.js';
import { type QueueDepth, queueDepths, totalDepth } from './depth.js';
import { livingWorkers, type WorkerBeat } from './heartbeat.js';
import { allQueues } from './index.js';
import { pendingEvents } from './intake-gauge.js';
import { queueOfShard } from './shards/intake-shards.js';
import { intakeQueuesInUse } from './shards/shards-in-use.js';

/** The state of all queues and workers. */
export interface Overview {
  /** The depths of all queues. Shards of the intake are added up. */
  depths: QueueDepth[];
  /** Events acknowledged with 202 but not yet stored, of all integrations. */
  eventsPending: number;
  workers: WorkerBeat[];
}

/** Reads the overview. It takes as long as a command of the connection may take. */
export async function readOverview(redis: RedisConnection, prefix: string): Promise<Overview> {
  const [depths, pending, workers] = await Promise.all([
    readDepths(redis, prefix),
    pendingEvents(redis, prefix),
    livingWorkers(redis, prefix),
  ]);
  return { depths, eventsPending: [...pending.values()].reduce((sum, events) => sum + events, 0), workers };
}

async function readDepths(redis: RedisConnection, prefix: string): Promise<QueueDepth[]> {
  const names = new Set<string>([...allQueues(), ...(await intakeQueuesInUse(redis, prefix))]);
  const depths = await queueDepths(redis, prefix, [...names]);
  return allQueues().map((queue) =>
    totalDepth(
      queue,
      depths.filter((depth) => queueOfShard(depth.queue) === queue),
    ),
  );
}
