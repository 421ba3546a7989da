import { Command } from 'ioredis';
import { alertIntake, type IntakeQueue } from '../contracts/alert-intake.js';

/** The most shards that the intake may have. The prefixes of all shards depend on it, so it never changes. */
export const MAX_SHARDS = 64;
/** The shards of the intake on a Redis Cluster, by default. */
export const CLUSTER_SHARDS = 16;

/** A shard of one of the intake's queues, as BullMQ names it. Shard 0 has the name that the queue had before there were shards. */
export type ShardName = IntakeQueue | `${IntakeQueue}-${number}`;

/** Returns the name of a shard of a queue. */
export const shardName = (queue: IntakeQueue, shard: number): ShardName =>
  shard === 0 ? queue : `${queue}-${shard}`;

/** Returns the names of a queue's shards. */
export const shardNames = (queue: IntakeQueue, shards: number): ShardName[] =>
  Array.from({ length: shards }, (_, shard) => shardName(queue, shard));

/** Returns the names of all shards of all queues of the intake. */
export const intakeShardNames = (shards: number): ShardName[] =>
  alertIntake.queues.flatMap((queue) => shardNames(queue, shards));

/** Returns the number of a queue's shard: 0 for each queue that has none. */
export const shardNumber = (name: string): number =>
  Number(/^alert-intake(?:-bulk)?-(\d+)$/.exec(name)?.[1] ?? 0);

/** Returns the queue that a shard is part of: the name without the shard's number. */
export const queueOfShard = (name: string): string =>
  shardNumber(name) === 0 ? name : name.slice(0, name.lastIndexOf('-'));

/** Returns the shard for a batch. The same id gives the same shard, so adding a batch again changes nothing. */
export const shardOfBatch = (batchId: string, shards: number): number =>
  shards === 1 ? 0 : slotOf(batchId) % shards;

/** A Redis Cluster divides all keys into this many slots, and its masters share the slots. */
export const SLOTS = 16_384;

/** Returns the slot of a key: that of the part in braces, if it has one. */
export const slotOf = (key: string): number => new Command('get', [key]).getSlot();
