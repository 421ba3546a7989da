import type { RedisConnection } from './connection.js';
import { QueueAway } from './producer.js';

/**
 * Numbers in the order in which uploads are accepted, from one clock: that of Redis. Hosts whose clocks differ cannot
 * disagree, and a Redis clock set back cannot make a later upload lose. Unit: µs since 1970, or the last number plus one.
 */
const NEXT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
local text = string.format('%.0f', math.max(last + 1, now))
redis.call('SET', KEYS[1], text)
return text`;

const RAISE = `
local last = tonumber(redis.call('GET', KEYS[1]) or '0')
if tonumber(ARGV[1]) > last then redis.call('SET', KEYS[1], ARGV[1]) end
return 1`;

const key = (prefix: string): string => `${prefix}:acceptance`;

/** The next acceptance number. Throws a `QueueAway` when Redis does not answer in time. */
export async function nextAcceptance(redis: RedisConnection, prefix: string): Promise<number> {
  try {
    return Number(await redis.eval(NEXT, 1, key(prefix)));
  } catch (cause) {
    throw new QueueAway('Redis did not give an acceptance number', { cause });
  }
}

/** Sees to it that the next number is above `floor`: needed once at start, should Redis have lost its data. */
export async function raiseAcceptance(redis: RedisConnection, prefix: string, floor: number): Promise<void> {
  await redis.eval(RAISE, 1, key(prefix), String(floor));
}
