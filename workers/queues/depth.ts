import type { RedisConnection } from './connection.js';

/** What waits in a BullMQ queue, from its keys: a count costs nothing this way, and no job is read. */
export interface QueueDepth {
  queue: string;
  waiting: number;
  active: number;
  /** Waiting for their next try. */
  delayed: number;
  /**
   * When the oldest waiting job was added; null when none waits. Of jobs with turns only the next {@link LOOKED_AT} are looked
   * at: each API key's jobs are in order of arrival, so the oldest job of a key is the key's first.
   */
  oldestAt: Date | null;
}

/** Jobs with turns whose age is looked up. Bounded, because Redis does nothing else meanwhile. */
const LOOKED_AT = 1_000;

/** Keys: the lists of one queue after the other; arguments: what the keys of its jobs begin with. Jobs with a turn wait in `prioritized`. */
const DEPTHS = `
local depths = {}
for queue = 1, #ARGV do
  local wait, active, delayed, turns = KEYS[4 * queue - 3], KEYS[4 * queue - 2], KEYS[4 * queue - 1], KEYS[4 * queue]
  local jobs = redis.call('ZRANGE', turns, 0, ${LOOKED_AT - 1})
  jobs[#jobs + 1] = redis.call('LINDEX', wait, -1) or nil
  local oldest
  for _, job in ipairs(jobs) do
    local addedAt = tonumber(redis.call('HGET', ARGV[queue] .. job, 'timestamp'))
    if addedAt and (not oldest or addedAt < oldest) then oldest = addedAt end
  end
  depths[queue] = {redis.call('LLEN', wait) + redis.call('ZCARD', turns), redis.call('LLEN', active), redis.call('ZCARD', delayed), oldest and string.format('%.0f', oldest) or ''}
end
return depths`;

/** How much lies in each of these queues, all at one instant: a job that moves on meanwhile is counted in one place. */
export async function queueDepths(
  redis: RedisConnection,
  prefix: string,
  queues: readonly string[],
): Promise<QueueDepth[]> {
  const jobs = queues.map((queue) => `${prefix}:${queue}:`);
  const keys = jobs.flatMap((job) => ['wait', 'active', 'delayed', 'prioritized'].map((list) => job + list));
  const depths = (await redis.eval(DEPTHS, keys.length, ...keys, ...jobs)) as [
    number,
    number,
    number,
    string,
  ][];
  return depths.map(([waiting, active, delayed, addedAt], i) => ({
    queue: queues[i] as string,
    waiting,
    active,
    delayed,
    oldestAt: addedAt === '' ? null : new Date(Number(addedAt)),
  }));
}

/** True when nothing waits, runs or is to be tried again in any of them. */
export const areEmpty = (depths: readonly QueueDepth[]): boolean =>
  depths.every(({ waiting, active, delayed }) => waiting + active + delayed === 0);
