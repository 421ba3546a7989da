import type { RedisConnection } from '../../workers/queues/connection.js';
import {
  addLoad,
  countEvents,
  type Load,
  pendingEvents,
  pendingSizes,
} from '../../workers/queues/intake-gauge.js';

const LOOK_EVERY_MS = 250;
/** An integration with more events than this on their way is one that floods. */
const FLOODS_ABOVE = 2_000;
/**
 * Of `maxmemory`. A Redis that is full refuses the workers' commands too, and would never be emptied again: so intake
 * stops while there is room left for them.
 */
const MEMORY_SHARE = 0.85;
/** A batch in Redis is a little larger than its events, and BullMQ copies it once while it is added. */
const GROWTH = 2;

/** How full the queue is: looked up four times a second, and counted on in between. */
export class IntakePressure {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #maxQueued: number;
  #pending = new Map<string, number>();
  #pendingSizes = new Map<string, number>();
  #queued = 0;
  #accepted = 0;
  #uncounted = new Map<string, Load>();
  #memoryLeft = Number.POSITIVE_INFINITY;
  #looking = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(redis: RedisConnection, prefix: string, maxQueued: number) {
    this.#redis = redis;
    this.#prefix = prefix;
    this.#maxQueued = maxQueued;
  }

  start(): void {
    this.#timer = setInterval(() => void this.#look(), LOOK_EVERY_MS);
  }

  async stop(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    await this.#count().catch(() => {});
  }

  /** True when nothing more may be queued until workers have caught up. */
  get full(): boolean {
    return this.#queued >= this.#maxQueued || this.#memoryLeft <= 0;
  }

  /**
   * True when the integration has used its share: it may have as many events queued as there are places left, and as many
   * bytes. One integration alone gets half of the queue, two get a third each, and so on. So however many flood, each
   * newcomer finds room. (Known as a dynamic threshold, from the buffers of network switches.)
   */
  sharedOut(webhookId: string): boolean {
    const places = this.#maxQueued - this.#queued;
    const [events, size] = [this.#pending.get(webhookId) ?? 0, this.#pendingSizes.get(webhookId) ?? 0];
    return events >= places || size >= this.#memoryLeft;
  }

  floods(webhookId: string): boolean {
    return (this.#pending.get(webhookId) ?? 0) > FLOODS_ABOVE;
  }

  /** Counts an event that was acknowledged, for all hosts to see. */
  accepted(webhookId: string, size: number): void {
    this.#accepted += 1;
    addLoad(this.#uncounted, webhookId, 1, size);
  }

  /** Counts an event that is being queued. */
  add(webhookId: string, size: number): void {
    this.#pending.set(webhookId, (this.#pending.get(webhookId) ?? 0) + 1);
    this.#pendingSizes.set(webhookId, (this.#pendingSizes.get(webhookId) ?? 0) + size);
    this.#queued += 1;
    this.#memoryLeft -= size * GROWTH;
  }

  /** With Redis away what was seen last is believed; nothing can be queued then anyway. */
  async #look(): Promise<void> {
    if (this.#looking || this.#redis.status !== 'ready') return;
    this.#looking = true;
    try {
      await this.#count();
      const [pending, sizes, memory] = await Promise.all([
        pendingEvents(this.#redis, this.#prefix),
        pendingSizes(this.#redis, this.#prefix),
        this.#redis.info('memory'),
      ]);
      this.#pending = pending;
      this.#pendingSizes = sizes;
      this.#queued = [...pending.values()].reduce((sum, count) => sum + count, 0);
      this.#memoryLeft = memoryLeft(memory);
    } catch {
    } finally {
      this.#looking = false;
    }
  }

  async #count(): Promise<void> {
    if (this.#accepted === 0) return;
    const [accepted, uncounted] = [this.#accepted, this.#uncounted];
    this.#accepted = 0;
    this.#uncounted = new Map();
    await countEvents(this.#redis, this.#prefix, { accepted }, uncounted);
  }
}

/** Bytes that may still be used, from what Redis says of its memory. */
function memoryLeft(info: string): number {
  const read = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  const max = read('maxmemory');
  return max === 0 ? Number.POSITIVE_INFINITY : max * MEMORY_SHARE - read('used_memory');
}
