import type { RedisConnection } from '../connection.js';
import { intakeShardNames, MAX_SHARDS, type ShardName } from './intake-shards.js';

/** How often an API announces its number of shards, in milliseconds. */
const ANNOUNCE_EVERY_MS = 10_000;
/** A number that no API has announced for this long is forgotten once the queues are empty. */
const FORGOTTEN_AFTER_MS = 10 * 60_000;

/** A sorted set of numbers of shards. The score is the time when an API announced the number last. */
const key = (prefix: string): string => `${prefix}:intake:shards`;

/** Times are those of Redis' clock in ms, because the clocks of hosts may differ. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;
const ANNOUNCE = `${NOW}return redis.call('ZADD', KEYS[1], now, ARGV[1])`;
const FORGET = `${NOW}return redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ARGV[1])`;

/**
 * Announces the number of shards to which this API adds events, when it connects and every 10 s: workers then take from all of
 * them, whatever their own setting is. Returns a function that stops it.
 */
export function announceShards(redis: RedisConnection, prefix: string, shards: number): () => void {
  const announce = () => void redis.eval(ANNOUNCE, 1, key(prefix), String(shards)).catch(() => {});
  if (redis.status === 'ready') announce();
  redis.on('ready', announce);
  const timer = setInterval(announce, ANNOUNCE_EVERY_MS);
  return () => {
    clearInterval(timer);
    redis.off('ready', announce);
  };
}

/** Returns the greatest number of shards that has been announced and not forgotten; 1 if none has. */
export async function shardsInUse(redis: RedisConnection, prefix: string): Promise<number> {
  const announced = (await redis.zrange(key(prefix), '0', '-1')).map(Number);
  return Math.min(Math.max(1, ...announced), MAX_SHARDS);
}

/** Returns the names of all intake queues that may hold events. */
export const intakeQueuesInUse = async (redis: RedisConnection, prefix: string): Promise<ShardName[]> =>
  intakeShardNames(await shardsInUse(redis, prefix));

/** Forgets numbers that no API has announced for ten minutes. Call it only while all intake queues are empty. */
export async function forgetUnusedShards(redis: RedisConnection, prefix: string): Promise<void> {
  await redis.eval(FORGET, 1, key(prefix), String(FORGOTTEN_AFTER_MS));
}
