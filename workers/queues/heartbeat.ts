import type { RedisConnection } from './connection.js';

/** How often a worker sends a heartbeat, in milliseconds. */
export const BEAT_EVERY_MS = 2_000;
/** After this time without a heartbeat a worker counts as gone. It may miss two. */
const GONE_AFTER_MS = 3 * BEAT_EVERY_MS;

export interface WorkerBeat {
  id: string;
  lastSeenAt: Date;
  /** Why the worker takes no jobs, or null. */
  held: string | null;
}

const key = (prefix: string): string => `${prefix}:workers`;
/** A hash of the workers that take no jobs, with the reasons. */
const heldKey = (prefix: string): string => `${prefix}:workers:held`;

/** Scores are times of Redis' clock in ms, because the clocks of hosts may differ. */
const BEAT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ARGV[2])
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[2], ARGV[1])
else
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[3])
  redis.call('PEXPIRE', KEYS[2], ARGV[2])
end
return 1`;

const LIVING = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local workers = redis.call('ZRANGEBYSCORE', KEYS[1], now - ARGV[1], '+inf', 'WITHSCORES')
return {workers, redis.call('HGETALL', KEYS[2])}`;

/**
 * Records a worker's heartbeat.
 * @param held why it takes no jobs, or null
 */
export async function beat(
  redis: RedisConnection,
  prefix: string,
  workerId: string,
  held: string | null = null,
): Promise<void> {
  await redis.eval(BEAT, 2, key(prefix), heldKey(prefix), workerId, String(10 * GONE_AFTER_MS), held ?? '');
}

/** Removes a worker that shuts down. */
export async function endBeat(redis: RedisConnection, prefix: string, workerId: string): Promise<void> {
  await redis.zrem(key(prefix), workerId);
}

/** Returns the workers that sent a heartbeat within the last 6 s. */
export async function livingWorkers(redis: RedisConnection, prefix: string): Promise<WorkerBeat[]> {
  const found = await redis.eval(LIVING, 2, key(prefix), heldKey(prefix), String(GONE_AFTER_MS));
  const [workers, held] = (found as [string[], string[]]).map(pairsOf);
  const reasons = new Map(held);
  return (workers ?? []).map(([id, seenAt]) => ({
    id,
    lastSeenAt: new Date(Number(seenAt)),
    held: reasons.get(id) ?? null,
  }));
}

const pairsOf = (flat: string[]): [string, string][] =>
  flat.flatMap((one, index) => (index % 2 === 0 ? [[one, flat[index + 1] ?? '']] : []));
