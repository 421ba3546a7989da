import { MAX_SHARDS, SLOTS, shardNumber, slotOf } from './intake-shards.js';

/** Slots between two neighbors when all shards exist. */
const STEP = SLOTS / MAX_SHARDS;
const BITS = Math.log2(MAX_SHARDS);

/** The prefix of each shard, by the prefix of the deployment. */
const known = new Map<string, Map<number, string>>();

/**
 * Returns the prefix of a queue's keys in Redis. All queues have the prefix of the deployment, such as `{muster}`, except the
 * shards of the intake above 0: they have hash tags of their own, such as `{muster:12}`, in slots that are evenly apart. So each
 * master of a Redis Cluster gets its part, whatever the number of masters and of shards, and nothing depends on the topology.
 */
export function queuePrefix(prefix: string, queue: string): string {
  const shard = shardNumber(queue);
  if (shard === 0) return prefix;
  const prefixes = known.get(prefix) ?? new Map<number, string>();
  known.set(prefix, prefixes);
  const made = prefixes.get(shard) ?? shardPrefix(prefix, shard);
  prefixes.set(shard, made);
  return made;
}

/** Returns the prefixes of the first shards, without duplicates. */
export const shardPrefixes = (prefix: string, shards: number): string[] =>
  Array.from({ length: shards }, (_, shard) => queuePrefix(prefix, `alert-intake-${shard}`));

/** Returns the first `{name:number}` in the part of the slots that belongs to the shard. */
function shardPrefix(prefix: string, shard: number): string {
  const home = slotOf(prefix);
  const part = reversedBits(shard);
  const name = prefix.replace(/[{}]/g, '');
  for (let number = 1; ; number += 1) {
    const candidate = `{${name}:${number}}`;
    const distance = (slotOf(candidate) - home + SLOTS) % SLOTS;
    if (Math.floor(distance / STEP) === part) return candidate;
  }
}

/** Reverses the bits of a shard's number: 1 becomes a half of the way around, 2 a quarter, 3 three quarters, and so on. */
function reversedBits(shard: number): number {
  let reversed = 0;
  for (let bit = 0; bit < BITS; bit += 1) reversed |= ((shard >> bit) & 1) << (BITS - 1 - bit);
  return reversed;
}
