import type { Stack } from '../servers/stack.js';
import { until } from '../until.js';

/** Runs `during` while an API has no connection to Redis, and waits until it has one again. */
export async function withoutRedis<T>({ api: { redis } }: Stack, during: () => Promise<T>): Promise<T> {
  redis.disconnect();
  try {
    return await during();
  } finally {
    // A command that was sent meanwhile may have begun to connect.
    if (redis.status === 'end') await redis.connect();
    await until('Redis is connected', () => redis.status === 'ready');
  }
}
