import { unfinishedKeys } from './bullmq-internals.js';
import type { RedisConnection } from './connection.js';

/**
 * Fair order between API keys within a queue: start-time fair queueing. Each job gets a place, one above the later of its
 * key's previous place and the queue's present place, which is that of the job started last. BullMQ takes the lowest place
 * first. So one key's 500 queued jobs have 500 successive places, and another key's first job gets the next place: it waits
 * for at most two jobs of each other key. A steady stream of single jobs cannot starve a longer line either, because its
 * places advance too.
 */

/** BullMQ's greatest priority. Beyond it jobs run in order of arrival until the queue has been empty once. */
const MAX_PLACE = 2 ** 21;

/** Keys: the places, then those of `unfinishedKeys`. Places start over when the queue is empty. */
const NEXT = `
local open = redis.call('LLEN', KEYS[2]) + redis.call('LLEN', KEYS[3]) + redis.call('ZCARD', KEYS[4]) + redis.call('ZCARD', KEYS[5])
if open == 0 then redis.call('DEL', KEYS[1]) end
local present = tonumber(redis.call('HGET', KEYS[1], 'present') or '0')
local previous = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local place = math.min(math.max(present, previous) + 1, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], ARGV[1], place)
return place`;

const STARTED = `
if tonumber(ARGV[1]) > tonumber(redis.call('HGET', KEYS[1], 'present') or '0') then
  redis.call('HSET', KEYS[1], 'present', ARGV[1])
end`;

const placesKey = (prefix: string, queue: string): string => `${prefix}:turns:${queue}`;

/** Returns the place of a new job, as BullMQ's priority: from 1, lowest first. */
export async function nextPlace(
  redis: RedisConnection,
  prefix: string,
  queue: string,
  apiKeyId: string,
): Promise<number> {
  const keys = [placesKey(prefix, queue), ...unfinishedKeys(prefix, queue)];
  return (await redis.eval(NEXT, keys.length, ...keys, `key:${apiKeyId}`, String(MAX_PLACE))) as number;
}

/** Records that a job with this place was started. Without it a new key's jobs would only go further to the front. */
export async function placeStarted(
  redis: RedisConnection,
  prefix: string,
  queue: string,
  place: number,
): Promise<void> {
  await redis.eval(STARTED, 1, placesKey(prefix, queue), String(place));
}
