/**
 * Everything that Muster uses of BullMQ beyond its documentation: keys and fields in Redis, and methods that need a lock's
 * token. The version of BullMQ is pinned. Check this file when you raise it.
 */
import { Job, type JobJson, type Queue } from 'bullmq';
import type { RedisConnection } from './connection.js';
import { queuePrefix } from './shards/queue-prefix.js';

/** Fields of a job's hash in Redis. */
export const JOB_FIELDS = {
  name: 'name',
  data: 'data',
  failedReason: 'failedReason',
  addedAt: 'timestamp',
  delay: 'delay',
  startedAt: 'processedOn',
  attemptsMade: 'atm',
  attemptsStarted: 'ats',
  crashes: 'stc',
} as const;

/** The collections of a queue that hold its unfinished jobs, in Redis. Jobs with a priority wait in `prioritized`. */
const UNFINISHED = ['wait', 'active', 'delayed', 'prioritized'] as const;

/** Returns the key of a job's hash. With an empty id, it is the beginning of all keys of the queue. */
export const jobKey = (prefix: string, queue: string, id: string): string =>
  `${queuePrefix(prefix, queue)}:${queue}:${id}`;

/**
 * Returns the keys of a queue's unfinished jobs, in this order: waiting (a list), active (a list), delayed (a sorted set),
 * waiting with a priority (a sorted set).
 */
export const unfinishedKeys = (prefix: string, queue: string): string[] =>
  UNFINISHED.map((name) => jobKey(prefix, queue, name));

/** Returns the data of a job as JSON, or null if the job is gone. */
export const readJobData = (
  redis: RedisConnection,
  prefix: string,
  { queueName, id = '' }: Pick<Job, 'queueName' | 'id'>,
): Promise<string | null> => redis.hget(jobKey(prefix, queueName, id), JOB_FIELDS.data);

/** Returns the size of a job's data as JSON, in bytes; 0 if the job is gone. */
export const jobDataBytes = (redis: RedisConnection, queue: Queue, id: string): Promise<number> =>
  redis.hstrlen(queue.toKey(id), JOB_FIELDS.data);

/**
 * Reads a job without its data. BullMQ itself always reads the whole job, and a batch of events has half a MiB.
 * @param instead the data to show instead
 */
export async function readJobWithoutData(
  redis: RedisConnection,
  queue: Queue,
  id: string,
  instead: object,
): Promise<Job | undefined> {
  const { data: _, name, failedReason, ...counted } = JOB_FIELDS;
  const [jobName, reason, ...texts] = await redis.hmget(
    queue.toKey(id),
    name,
    failedReason,
    ...Object.values(counted),
  );
  if (!jobName) return undefined;
  const [timestamp, delay, processedOn, attemptsMade, attemptsStarted, stalledCounter] = texts.map(Number);
  return Job.fromJSON(queue, {
    id,
    name: jobName,
    data: JSON.stringify(instead),
    opts: {},
    progress: 0,
    timestamp,
    delay,
    processedOn,
    attemptsMade,
    attemptsStarted,
    stalledCounter,
    failedReason: reason ?? '',
    stacktrace: '[]',
    returnvalue: 'null',
  } as JobJson);
}

/** Returns how often a job's worker was lost while it held the job. */
export const crashesOf = ({ stalledCounter }: Job): number => stalledCounter;

/** Puts a running job back at the front of its queue. It costs no attempt. */
export const putBack = async (job: Job, token: string | undefined): Promise<void> => {
  await job.moveToWait(token);
};

/** Puts a running job back into its queue, where it waits for some milliseconds. It costs no attempt. */
export const putBackFor = (job: Job, token: string | undefined, waitMs: number): Promise<void> =>
  job.moveToDelayed(Date.now() + waitMs, token);
