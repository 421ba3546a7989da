import { Redis } from 'ioredis';

/**
 * Makes a queue detect immediately that the worker of a job is lost, which otherwise takes 10 to 15 s. The
 * lock has expired, the job is marked as stalled, and the next check, which a worker makes when it starts, is due.
 */
export async function loseLock(
  redisUrl: string,
  prefix: string,
  queue: string,
  jobId: string,
): Promise<void> {
  const redis = new Redis(redisUrl.startsWith('unix://') ? redisUrl.slice('unix://'.length) : redisUrl);
  const name = (part: string): string => `${prefix}:${queue}:${part}`;
  try {
    await redis
      .multi()
      .del(name(`${jobId}:lock`), name('stalled-check'))
      .sadd(name('stalled'), jobId)
      .exec();
  } finally {
    redis.disconnect();
  }
}
