import { Cluster, type Redis } from 'ioredis';
import type { RedisConnection } from './connection.js';
import { slotOf } from './shards/intake-shards.js';

/** The slot of each prefix. It never changes. */
const slots = new Map<string, number>();

/**
 * Returns the connection to the node that has the keys of a prefix: the one that commands with these keys use. A Cluster
 * sends commands without a key, such as `INFO` and `WAIT`, to any of its nodes.
 * @throws Error if no node has them now
 */
export function ownerOf(connection: RedisConnection, prefix: string): Redis {
  if (!(connection instanceof Cluster)) return connection;
  const slot = slots.get(prefix) ?? slotOf(prefix);
  slots.set(prefix, slot);
  const address = connection.slots[slot]?.[0];
  const owner = connection.nodes().find(({ options }) => `${options.host}:${options.port}` === address);
  if (!owner) throw new Error(`no node of the Redis Cluster has the keys of ${prefix}`);
  return owner;
}

/**
 * Returns the connections to the nodes that have the keys of these prefixes, each node once.
 * @throws Error if no node has one of them now
 */
export const ownersOf = (connection: RedisConnection, prefixes: readonly string[]): Redis[] => [
  ...new Set(prefixes.map((prefix) => ownerOf(connection, prefix))),
];
