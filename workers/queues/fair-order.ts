import { unfinishedKeys } from './bullmq-internals.js';
import type { RedisConnection } from './connection.js';

/**
 * Fair order between API keys within a queue: start-time fair queueing. Each job gets a turn, one above the later of its
 * key's previous turn and the queue's present turn, which is that of the job started last. BullMQ takes the lowest turn
 * first. So one key's 500 queued jobs have 500 successive turns, and another key's first job gets the next turn: it waits
 * for at most two jobs of each other key. A steady stream of single jobs cannot starve a longer line either, because its
 * turns advance too.
 */

/** BullMQ's greatest priority. Beyond it jobs run in order of arrival until the queue has been empty once. */
const MAX_TURN = 2 ** 21;

/** Keys: the turns, then those of `unfinishedKeys`. Turns start over when the queue is empty. */
const NEXT = `
local open = redis.call('LLEN', KEYS[2]) + redis.call('LLEN', KEYS[3]) + redis.call('ZCARD', KEYS[4]) + redis.call('ZCARD', KEYS[5])
if open == 0 then redis.call('DEL', KEYS[1]) end
local present = tonumber(redis.call('HGET', KEYS[1], 'present') or '0')
local previous = tonumber(redis.call('HGET', KEYS[1], ARGV[1]) or '0')
local turn = math.min(math.max(present, previous) + 1, tonumber(ARGV[2]))
redis.call('HSET', KEYS[1], ARGV[1], turn)
return turn`;

const STARTED = `
if tonumber(ARGV[1]) > tonumber(redis.call('HGET', KEYS[1], 'present') or '0') then
  redis.call('HSET', KEYS[1], 'present', ARGV[1])
end`;

const turnsKey = (prefix: string, queue: string): string => `${prefix}:turns:${queue}`;

/** Returns the turn of a new job, as BullMQ's priority: from 1, lowest first. */
export async function nextTurn(
  redis: RedisConnection,
  prefix: string,
  queue: string,
  apiKeyId: string,
): Promise<number> {
  const keys = [turnsKey(prefix, queue), ...unfinishedKeys(prefix, queue)];
  return (await redis.eval(NEXT, keys.length, ...keys, `key:${apiKeyId}`, String(MAX_TURN))) as number;
}

/** Records that a job with this turn was started. Without it a new key's jobs would only go further to the front. */
export async function turnStarted(
  redis: RedisConnection,
  prefix: string,
  queue: string,
  turn: number,
): Promise<void> {
  await redis.eval(STARTED, 1, turnsKey(prefix, queue), String(turn));
}
