import { Redis } from 'ioredis';

/**
 * Makes a queue believe at once what it otherwise finds out in 10 to 15 s: that whoever works on a job is gone. The
 * lock has run out, the job has been seen without it, and the next look, which a worker takes as it starts, is due.
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
