import type { RedisConnection } from './connection.js';

/** How often a worker sends a heartbeat, in milliseconds. */
export const BEAT_EVERY_MS = 2_000;
/** After this time without a heartbeat a worker counts as gone. It may miss two. */
const GONE_AFTER_MS = 3 * BEAT_EVERY_MS;

export interface WorkerBeat {
  id: string;
  lastSeenAt: Date;
}

const key = (prefix: string): string => `${prefix}:workers`;

/** Scores are times of Redis' clock in ms, because the clocks of hosts may differ. */
const BEAT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ARGV[2])
return 1`;

const LIVING = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[1], '+inf', 'WITHSCORES')`;

/** Records a worker's heartbeat. */
export async function beat(redis: RedisConnection, prefix: string, workerId: string): Promise<void> {
  await redis.eval(BEAT, 1, key(prefix), workerId, String(10 * GONE_AFTER_MS));
}

/** Removes a worker that shuts down. */
export async function endBeat(redis: RedisConnection, prefix: string, workerId: string): Promise<void> {
  await redis.zrem(key(prefix), workerId);
}

/** Returns the workers that sent a heartbeat within the last 6 s. */
export async function livingWorkers(redis: RedisConnection, prefix: string): Promise<WorkerBeat[]> {
  const flat = (await redis.eval(LIVING, 1, key(prefix), String(GONE_AFTER_MS))) as string[];
  const beats: WorkerBeat[] = [];
  for (let i = 0; i < flat.length; i += 2) {
    beats.push({ id: flat[i] as string, lastSeenAt: new Date(Number(flat[i + 1])) });
  }
  return beats;
}
