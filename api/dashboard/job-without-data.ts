import { Job, type JobJson, type Queue } from 'bullmq';
import type { RedisConnection } from '../../workers/queues/connection.js';

/** What is read of it, as BullMQ names it in Redis: the last three are attempts made and started, and how often it stalled. */
const FIELDS = ['name', 'failedReason', 'timestamp', 'delay', 'processedOn', 'atm', 'ats', 'stc'];

/**
 * A job whose data stays in Redis. BullMQ itself reads all of a job or nothing, and a batch of events is half a MiB.
 * @param instead what the job has as its data
 */
export async function jobWithoutData(
  redis: RedisConnection,
  queue: Queue,
  id: string,
  instead: object,
): Promise<Job | undefined> {
  const [name, failedReason, ...numbers] = await redis.hmget(queue.toKey(id), ...FIELDS);
  if (!name) return undefined;
  const [timestamp, delay, processedOn, attemptsMade, attemptsStarted, stalledCounter] = numbers.map(Number);
  return Job.fromJSON(queue, {
    id,
    name,
    data: JSON.stringify(instead),
    opts: {},
    progress: 0,
    timestamp,
    delay,
    processedOn,
    attemptsMade,
    attemptsStarted,
    stalledCounter,
    failedReason: failedReason ?? '',
    stacktrace: '[]',
    returnvalue: 'null',
  } as JobJson);
}
