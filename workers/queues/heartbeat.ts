import type { RedisConnection } from './connection.js';

/** How often a worker says that it lives, in milliseconds. */
export const BEAT_EVERY_MS = 2_000;
/** After how long without a beat a worker counts as gone: it may miss two. */
const GONE_AFTER_MS = 3 * BEAT_EVERY_MS;

export interface WorkerBeat {
  id: string;
  lastSeenAt: Date;
}

const key = (prefix: string): string => `${prefix}:workers`;

/** Says that a worker lives. Scored by this host's clock, which is close enough to tell living from dead. */
export async function beat(redis: RedisConnection, prefix: string, workerId: string): Promise<void> {
  const now = Date.now();
  await redis
    .multi()
    .zadd(key(prefix), now, workerId)
    .zremrangebyscore(key(prefix), 0, now - 10 * GONE_AFTER_MS)
    .exec();
}

/** Forgets a worker that ends in an orderly way. */
export async function endBeat(redis: RedisConnection, prefix: string, workerId: string): Promise<void> {
  await redis.zrem(key(prefix), workerId);
}

/** Workers that have been seen within the last 6 s. */
export async function livingWorkers(redis: RedisConnection, prefix: string): Promise<WorkerBeat[]> {
  const flat = await redis.zrangebyscore(key(prefix), Date.now() - GONE_AFTER_MS, '+inf', 'WITHSCORES');
  const beats: WorkerBeat[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    beats.push({ id: flat[i] as string, lastSeenAt: new Date(Number(flat[i + 1])) });
  }
  return beats;
}
