import type { RedisConnection } from './connection.js';
import { QueueUnavailable } from './producer.js';

/**
 * Numbers in the order in which uploads are accepted, from one clock: that of Redis. Hosts whose clocks differ cannot
 * disagree, and a Redis clock set back cannot make a later upload lose. Unit: µs since 1970, or the last number plus one.
 */
const NEXT = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local last = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[1]))
local text = string.format('%.0f', math.max(last + 1, now))
redis.call('SET', KEYS[1], text)
return text`;

const key = (prefix: string): string => `${prefix}:acceptance`;

/**
 * Returns the next acceptance number. It is above `floor`, the greatest number on record, so that a Redis that has lost its
 * data and whose clock is behind cannot make a later upload lose. Read `floor` before calling this: a number given out in
 * between is above it, whoever records first.
 *
 * @throws QueueUnavailable if Redis does not respond in time
 */
export async function nextAcceptance(redis: RedisConnection, prefix: string, floor: number): Promise<number> {
  try {
    return Number(await redis.eval(NEXT, 1, key(prefix), String(floor)));
  } catch (cause) {
    throw new QueueUnavailable('Redis did not give an acceptance number', { cause });
  }
}
