import type { RedisConnection } from './connection.js';

/** Returns the time of the server that has the keys of a prefix, in milliseconds since 1970. */
export async function readRedisTime(redis: RedisConnection, prefix: string): Promise<number> {
  const [seconds, micros] = (await redis.eval("return redis.call('TIME')", 1, prefix)) as [string, string];
  return Number(seconds) * 1_000 + Number(micros) / 1_000;
}
