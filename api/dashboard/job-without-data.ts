import { Job, type JobJson, type Queue } from 'bullmq';
import type { RedisConnection } from '../../workers/queues/connection.js';

/** BullMQ's names of a job's fields in Redis. The last three: attempts made, attempts started, times stalled. */
const FIELDS = ['name', 'failedReason', 'timestamp', 'delay', 'processedOn', 'atm', 'ats', 'stc'];

/**
 * Reads a job without its data. BullMQ itself always reads the whole job, and a batch of events has half a MiB.
 * @param instead the data to show instead
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
