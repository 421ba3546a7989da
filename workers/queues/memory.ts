import { Cluster } from 'ioredis';
import type { RedisConnection } from './connection.js';

/** The memory of a Redis, in bytes. */
export interface RedisMemory {
  used: number;
  /** `maxmemory`; infinite if it is not set. */
  limit: number;
}

/** Returns the memory of each primary by its address. Outside a Cluster there is one, called `primary`. */
export async function memoryOfPrimaries(redis: RedisConnection): Promise<Map<string, RedisMemory>> {
  if (!(redis instanceof Cluster)) return new Map([['primary', parseMemory(await redis.info('memory'))]]);
  const nodes = redis.nodes('master').map(async (node) => {
    const address = `${node.options.host}:${node.options.port}`;
    return [address, parseMemory(await node.info('memory'))] as const;
  });
  return new Map(await Promise.all(nodes));
}

/** Reads the text that Redis returns for `INFO memory`. */
export function parseMemory(info: string): RedisMemory {
  const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return { used: read('used_memory'), limit: read('maxmemory') || Number.POSITIVE_INFINITY };
}
