import type { RedisConnection } from './connection.js';

/** What waits in a BullMQ queue, from its keys: a count costs nothing this way, and no job is read. */
export interface QueueDepth {
  queue: string;
  waiting: number;
  active: number;
  /** Waiting for their next try. */
  delayed: number;
  /** When the job that is next was added; null when none waits. */
  oldestAt: Date | null;
}

/** How much lies in each of these queues. */
export const queueDepths = (
  redis: RedisConnection,
  prefix: string,
  queues: readonly string[],
): Promise<QueueDepth[]> => Promise.all(queues.map((queue) => queueDepth(redis, prefix, queue)));

async function queueDepth(redis: RedisConnection, prefix: string, queue: string): Promise<QueueDepth> {
  const key = (part: string) => `${prefix}:${queue}:${part}`;
  const [waiting, active, delayed, next] = await Promise.all([
    redis.llen(key('wait')),
    redis.llen(key('active')),
    redis.zcard(key('delayed')),
    redis.lindex(key('wait'), -1),
  ]);
  const addedAt = next === null ? null : await redis.hget(key(next), 'timestamp');
  return { queue, waiting, active, delayed, oldestAt: addedAt === null ? null : new Date(Number(addedAt)) };
}

/** True when nothing waits, runs or is to be tried again in any of them. */
export const areEmpty = (depths: readonly QueueDepth[]): boolean =>
  depths.every(({ waiting, active, delayed }) => waiting + active + delayed === 0);
