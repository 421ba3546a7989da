import type { Logger } from 'pino';
import { describeError } from '../../workers/process/describe-error.js';
import type { RedisConnection } from '../../workers/queues/connection.js';
import {
  addLoad,
  gaugeEvents,
  type IntakeLoad,
  pendingEvents,
  pendingSizes,
} from '../../workers/queues/intake-gauge.js';
import { parseMemory } from '../../workers/queues/memory.js';
import { ownersOf } from '../../workers/queues/owner.js';
import { shardPrefixes } from '../../workers/queues/shards/queue-prefix.js';

const READ_INTERVAL_MS = 250;
/** An integration with more queued events than this is flooding. */
const FLOODS_ABOVE = 2_000;
/**
 * Share of Redis' `maxmemory` that events may fill. A full Redis rejects the workers' commands too, so its queue could never be
 * emptied. The intake stops while there is room left for the workers.
 */
export const MEMORY_SHARE = 0.85;
/** A batch in Redis is a little larger than its events, and BullMQ copies it once while adding it. */
const GROWTH = 2;

/** How full the queue is: read from Redis four times a second, and estimated in between. */
export class IntakePressure {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #maxQueued: number;
  /** The prefixes of the keys of all shards. */
  readonly #shards: readonly string[];
  readonly #log: Logger;
  #pending = new Map<string, number>();
  #pendingSizes = new Map<string, number>();
  #queued = 0;
  #accepted = 0;
  #uncounted = new Map<string, IntakeLoad>();
  #memoryLeft = Number.POSITIVE_INFINITY;
  #reading = false;
  #failed = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(redis: RedisConnection, prefix: string, maxQueued: number, shards: number, log: Logger) {
    this.#log = log;
    this.#redis = redis;
    this.#prefix = prefix;
    this.#maxQueued = maxQueued;
    this.#shards = shardPrefixes(prefix, shards);
  }

  start(): void {
    this.#timer = setInterval(() => void this.#read(), READ_INTERVAL_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#count().catch(() => {});
  }

  /** True if Redis responded to the last reading, and the queue is not full. */
  get isOpen(): boolean {
    return this.#redis.status === 'ready' && !this.#failed && !this.full;
  }

  /** True if no more events may be queued until workers catch up. */
  get full(): boolean {
    return this.#queued >= this.#maxQueued || this.#memoryLeft <= 0;
  }

  /**
   * True if the integration has used its share of the queue: it may have as many events queued as there are free places, and as
   * many bytes as there are free bytes. One flooding integration gets half of the queue, two get a third each, and so on, so
   * there is always room for another. (A dynamic threshold, as in the buffers of network switches.)
   */
  isShareUsed(webhookId: string): boolean {
    const places = this.#maxQueued - this.#queued;
    const [events, size] = [this.#pending.get(webhookId) ?? 0, this.#pendingSizes.get(webhookId) ?? 0];
    return events >= places || size >= this.#memoryLeft;
  }

  /** True if the integration has so many queued events that they belong in the bulk queue. */
  isFlooding(webhookId: string): boolean {
    return (this.#pending.get(webhookId) ?? 0) > FLOODS_ABOVE;
  }

  /** Counts acknowledged events in Redis, for all hosts. */
  accepted(webhookId: string, size: number, events = 1): void {
    this.#accepted += events;
    addLoad(this.#uncounted, webhookId, events, size);
  }

  /** Adds events that are being queued to this host's estimate. */
  add(webhookId: string, size: number, events = 1): void {
    this.#pending.set(webhookId, (this.#pending.get(webhookId) ?? 0) + events);
    this.#pendingSizes.set(webhookId, (this.#pendingSizes.get(webhookId) ?? 0) + size);
    this.#queued += events;
    this.#memoryLeft -= size * GROWTH;
  }

  /** Keeps the last values while Redis is unavailable, when nothing can be queued anyway. */
  async #read(): Promise<void> {
    if (this.#reading || this.#redis.status !== 'ready') return;
    this.#reading = true;
    try {
      await this.#count();
      const [pending, sizes, memory] = await Promise.all([
        pendingEvents(this.#redis, this.#prefix),
        pendingSizes(this.#redis, this.#prefix),
        this.#readMemory(),
      ]);
      this.#pending = pending;
      this.#pendingSizes = sizes;
      this.#queued = [...pending.values()].reduce((sum, count) => sum + count, 0);
      this.#memoryLeft = memory;
      this.#failed = false;
    } catch (error) {
      // Every reading fails while Redis is unavailable. One line tells that from a mistake in this code.
      if (!this.#failed)
        this.#log.warn({ error: describeError(error) }, 'could not read how full the queue is');
      this.#failed = true;
    } finally {
      this.#reading = false;
    }
  }

  /**
   * Returns how many bytes of memory may still be used on all nodes that have shards. Events spread evenly, so the fullest node
   * limits them all. A node that does not respond gets no events anyway.
   */
  async #readMemory(): Promise<number> {
    const owners = ownersOf(this.#redis, this.#shards);
    const infos = await Promise.allSettled(owners.map((owner) => owner.info('memory')));
    const left = infos.flatMap((info) => (info.status === 'fulfilled' ? memoryLeft(info.value) : []));
    // A user of Redis may lack the right to INFO. Then only the number of events limits them.
    return left.length === 0 ? this.#memoryLeft : Math.min(...left) * left.length;
  }

  async #count(): Promise<void> {
    if (this.#accepted === 0) return;
    const [accepted, uncounted] = [this.#accepted, this.#uncounted];
    this.#accepted = 0;
    this.#uncounted = new Map();
    await gaugeEvents(this.#redis, this.#prefix, { accepted }, uncounted);
  }
}

/** Returns how many bytes of memory may still be used on a node, from the text that Redis reports. */
function memoryLeft(info: string): number {
  const { used, limit } = parseMemory(info);
  return limit * MEMORY_SHARE - used;
}
