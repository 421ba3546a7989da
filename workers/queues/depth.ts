import { JOB_FIELDS, jobKey, unfinishedKeys } from './bullmq-internals.js';
import type { RedisConnection } from './connection.js';
import { queuePrefix } from './shards/queue-prefix.js';

/** The number of jobs in a BullMQ queue by state, read from its keys. This is fast, because it reads no job. */
export interface QueueDepth {
  queue: string;
  waiting: number;
  active: number;
  /** Waiting for their next attempt. */
  delayed: number;
  /**
   * When the oldest waiting job was added; null if none is waiting. Of jobs with a place in a fair order, only the next
   * {@link MAX_JOBS_READ} are read: the jobs of one API key are in order of arrival, so the first one is its oldest.
   */
  oldestAt: Date | null;
}

/** Jobs with a place in a fair order whose age is read. Limited, because the script blocks Redis. */
const MAX_JOBS_READ = 1_000;

/** Keys: those of `unfinishedKeys` for each queue. Arguments: how the keys of each queue's jobs begin. */
const DEPTHS = `
local depths = {}
for queue = 1, #ARGV do
  local wait, active, delayed, placed = KEYS[4 * queue - 3], KEYS[4 * queue - 2], KEYS[4 * queue - 1], KEYS[4 * queue]
  local jobs = redis.call('ZRANGE', placed, 0, ${MAX_JOBS_READ - 1})
  jobs[#jobs + 1] = redis.call('LINDEX', wait, -1) or nil
  local oldest
  for _, job in ipairs(jobs) do
    local addedAt = tonumber(redis.call('HGET', ARGV[queue] .. job, '${JOB_FIELDS.addedAt}'))
    if addedAt and (not oldest or addedAt < oldest) then oldest = addedAt end
  end
  depths[queue] = {redis.call('LLEN', wait) + redis.call('ZCARD', placed), redis.call('LLEN', active), redis.call('ZCARD', delayed), oldest and string.format('%.0f', oldest) or ''}
end
return depths`;

/**
 * Reads the depths of these queues. Those with the same hash tag are read in one step, so that a job which changes state is
 * counted only once.
 */
export async function queueDepths(
  redis: RedisConnection,
  prefix: string,
  queues: readonly string[],
): Promise<QueueDepth[]> {
  const byTag = new Map<string, string[]>();
  for (const queue of queues) {
    const tag = queuePrefix(prefix, queue);
    byTag.set(tag, [...(byTag.get(tag) ?? []), queue]);
  }
  const read = await Promise.all(
    [...byTag.values()].map((together) => readTogether(redis, prefix, together)),
  );
  const depths = new Map(read.flat().map((depth) => [depth.queue, depth]));
  return queues.flatMap((queue) => depths.get(queue) ?? []);
}

/** Reads the depths of queues that have the same hash tag. */
async function readTogether(
  redis: RedisConnection,
  prefix: string,
  queues: readonly string[],
): Promise<QueueDepth[]> {
  const jobs = queues.map((queue) => jobKey(prefix, queue, ''));
  const keys = queues.flatMap((queue) => unfinishedKeys(prefix, queue));
  const depths = (await redis.eval(DEPTHS, keys.length, ...keys, ...jobs)) as [
    number,
    number,
    number,
    string,
  ][];
  return queues.flatMap((queue, i) => {
    const [waiting = 0, active = 0, delayed = 0, addedAt = ''] = depths[i] ?? [];
    return { queue, waiting, active, delayed, oldestAt: addedAt === '' ? null : new Date(Number(addedAt)) };
  });
}

/** Returns whether no job of these queues is waiting, active or delayed. */
export const areEmpty = (depths: readonly QueueDepth[]): boolean =>
  depths.every(({ waiting, active, delayed }) => waiting + active + delayed === 0);

/** Returns the depth of several queues together, under one name. */
export const totalDepth = (queue: string, depths: readonly QueueDepth[]): QueueDepth => {
  const sum = (state: 'waiting' | 'active' | 'delayed') =>
    depths.reduce((total, depth) => total + depth[state], 0);
  const times = depths.flatMap(({ oldestAt }) => oldestAt?.getTime() ?? []);
  return {
    queue,
    waiting: sum('waiting'),
    active: sum('active'),
    delayed: sum('delayed'),
    oldestAt: times.length === 0 ? null : new Date(Math.min(...times)),
  };
};
