import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './connection.js';

/** The slot of each prefix. It never changes. */
const slots = new Map<string, number>();

/**
 * Returns the connection to the node that has the keys of a prefix: the one that commands with these keys use. A Cluster
 * sends commands without a key, such as `INFO` and `WAIT`, to any of its nodes.
 * @throws Error if no node has them now
 */
export async function ownerOf(connection: RedisConnection, prefix: string): Promise<Redis> {
  if (!(connection instanceof Cluster)) return connection;
  const slot = slots.get(prefix) ?? (await connection.cluster('KEYSLOT', prefix));
  slots.set(prefix, slot);
  const address = connection.slots[slot]?.[0];
  const owner = connection.nodes().find(({ options }) => `${options.host}:${options.port}` === address);
  if (!owner) throw new Error(`no node of the Redis Cluster has the keys of ${prefix}`);
  return owner;
}
