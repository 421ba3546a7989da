import type { Database } from '../../db/client/connect.js';
import { greatestAcceptance } from '../../db/jobs/jobs.js';
import type { RedisConnection } from './connection.js';
import { QueueUnavailable } from './producer.js';

interface Services {
  database: Database;
  redis: RedisConnection;
  settings: { redisPrefix: string };
}

/**
 * Returns a number above that of every recorded upload, even if Redis has lost its data.
 * @throws QueueUnavailable if Redis does not respond in time
 */
export async function newAcceptance({ database, redis, settings }: Services): Promise<number> {
  return nextAcceptance(redis, settings.redisPrefix, await greatestAcceptance(database));
}

/**
 * Numbers uploads in the order in which they are accepted, by the clock of Redis. So hosts with different clocks agree on the
 * order, and setting the clock of Redis back does not make a later upload lose. Unit: µs since 1970, or the last number
 * plus one.
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
 * Returns the next acceptance number. It is above `floor`, the highest recorded number, so that a later upload wins even if
 * Redis lost its data and its clock is slow. Read `floor` before the call: a number assigned in between is above it too.
 * @throws QueueUnavailable if Redis does not respond in time
 */
async function nextAcceptance(redis: RedisConnection, prefix: string, floor: number): Promise<number> {
  try {
    return Number(await redis.eval(NEXT, 1, key(prefix), String(floor)));
  } catch (cause) {
    throw new QueueUnavailable('Redis did not give an acceptance number', { cause });
  }
}
