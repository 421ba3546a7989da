import { setTimeout as sleep } from 'node:timers/promises';
import type { IntakeEvent, IntakeList } from '../../workers/queues/contracts/alert-intake.js';
import { QueueUnavailable } from '../../workers/queues/producer.js';
import { shardOfBatch } from '../../workers/queues/shards/intake-shards.js';
import { currentTraceparent } from '../../workers/tracing/spans.js';
import { newId } from './event-id.js';
import { Places } from './places.js';

export const MAX_EVENTS = 200;
export const MAX_BYTES = 512 * 1024;
/** A lost connection is usually back within this time. Adding a batch again is safe, because its id is fixed. */
const RETRY_WITHIN_MS = 400;
const RETRY_DELAY_MS = 50;
/** Requests get a response after this time, and another {@link CHECK_INTERVAL_MS} at most, so that every request takes less than 2 s. */
const TIMEOUT_MS = 1_700;
/** One timer serves all batches. Setting and clearing one for each would be part of every single event's time. */
const CHECK_INTERVAL_MS = 100;

interface Batch {
  /** Decides the shard. It stays the same once the batch has been sent. */
  id: string;
  events: IntakeEvent[];
  lists: IntakeList[];
  /** How many events it has, with those of lists. */
  count: number;
  /** The spans of the events' requests; empty while tracing is off. */
  traceparents: string[];
  bytes: number;
  openedAt: number;
  acknowledged: Promise<void>;
  acknowledge(): void;
  reject(reason: QueueUnavailable): void;
  timedOut: boolean;
}

/** Adds a batch to a shard of the queue under a fixed id. May be called again with the same id. */
type AddBatch = (
  id: string,
  batch: Pick<Batch, 'events' | 'lists' | 'traceparents'>,
  shard: number,
) => Promise<void>;

/** Called for each acknowledged batch with the number of its events and the seconds since it was opened. */
export type BatchListener = (events: number, seconds: number) => void;

interface Options {
  add: AddBatch;
  acknowledged?: BatchListener;
  /** Default: 1. */
  shards?: number;
}

/**
 * Group commit without a timer: a single event is sent at once. While two batches are in flight, new events collect in the next
 * batch, which is sent when one of the two is acknowledged. So the load decides how large batches are.
 */
export class GroupCommit {
  readonly #add: AddBatch;
  readonly #acknowledged: BatchListener;
  readonly #shards: number;
  readonly #places: Places;
  readonly #waiting: Batch[] = [];
  /** All batches that are not acknowledged, the oldest first. */
  readonly #unacknowledged = new Set<Batch>();
  readonly #timer = setInterval(() => this.#timeOutOld(), CHECK_INTERVAL_MS).unref();
  #sending = false;

  constructor({ add, acknowledged = () => {}, shards = 1 }: Options) {
    this.#add = add;
    this.#acknowledged = acknowledged;
    this.#shards = shards;
    this.#places = new Places(shards, () => this.#sendSoon());
  }

  /**
   * Adds an event to a batch. Resolves when the queue has stored it. Rejects with a `QueueUnavailable` if that is not known
   * in time.
   */
  join(event: IntakeEvent, bytes: number): Promise<void> {
    const batch = this.#batchFor(false, 1, bytes);
    batch.events.push(event);
    return this.#joined(batch);
  }

  /** Does the same for the events of a list. */
  joinList(list: IntakeList, bytes: number): Promise<void> {
    const batch = this.#batchFor(true, list.ids.length, bytes);
    batch.lists.push(list);
    return this.#joined(batch);
  }

  /** Lists have batches of their own, so that workers that cannot read them have all other events. */
  #batchFor(isOfLists: boolean, count: number, bytes: number): Batch {
    const last = this.#waiting.at(-1);
    const fits =
      last &&
      last.lists.length > 0 === isOfLists &&
      last.count + count <= MAX_EVENTS &&
      last.bytes + bytes <= MAX_BYTES;
    const batch = fits ? last : this.#open();
    batch.count += count;
    batch.bytes += bytes;
    return batch;
  }

  #joined(batch: Batch): Promise<void> {
    const traceparent = currentTraceparent();
    if (traceparent) batch.traceparents.push(traceparent);
    this.#sendSoon();
    return batch.acknowledged;
  }

  /** Resolves when no batch waits or is in flight. No event may join after that. */
  async close(): Promise<void> {
    while (this.#waiting.length > 0 || this.#places.taken > 0) await sleep(5);
    clearInterval(this.#timer);
  }

  #open(): Batch {
    const batch = newBatch();
    this.#unacknowledged.add(batch);
    this.#waiting.push(batch);
    return batch;
  }

  /**
   * Sends events that arrive in one turn of the event loop together: they wait no longer, and a batch costs as much as
   * several events (0.1 ms).
   */
  #sendSoon(): void {
    if (this.#sending || this.#waiting.length === 0 || !this.#places.free) return;
    this.#sending = true;
    setImmediate(() => {
      this.#sending = false;
      this.#sendWaiting();
    });
  }

  #sendWaiting(): void {
    while (this.#places.free) {
      const batch = this.#waiting.shift();
      if (!batch) return;
      const shard = this.#shardOf(batch);
      const leave = this.#places.take(shard);
      this.#send(batch, shard)
        .then(() => this.#acknowledge(batch), batch.reject)
        .finally(() => {
          this.#unacknowledged.delete(batch);
          leave();
        });
    }
  }

  /** Returns the shard of a batch that is about to be sent. If it has no place, the batch gets another id. */
  #shardOf(batch: Batch): number {
    for (;;) {
      const shard = shardOfBatch(batch.id, this.#shards);
      if (this.#places.isFree(shard)) return shard;
      batch.id = newId();
    }
  }

  #acknowledge(batch: Batch): void {
    batch.acknowledge();
    // The requests of a batch that timed out got another response.
    if (!batch.timedOut) this.#acknowledged(batch.count, (performance.now() - batch.openedAt) / 1_000);
  }

  async #send(batch: Batch, shard: number): Promise<void> {
    for (;;) {
      try {
        return await this.#add(batch.id, batch, shard);
      } catch (error) {
        if (batch.timedOut || performance.now() - batch.openedAt > RETRY_WITHIN_MS) throw error;
        await sleep(RETRY_DELAY_MS);
      }
    }
  }

  #timeOutOld(): void {
    const before = performance.now() - TIMEOUT_MS;
    for (const batch of this.#unacknowledged) {
      if (batch.openedAt > before) return;
      this.#timeOut(batch);
    }
  }

  /** A batch that was never sent has no effect. One that was sent may still be stored. */
  #timeOut(batch: Batch): void {
    this.#unacknowledged.delete(batch);
    const place = this.#waiting.indexOf(batch);
    if (place >= 0) this.#waiting.splice(place, 1);
    batch.timedOut = true;
    batch.reject(new QueueUnavailable('Redis did not acknowledge the batch in time'));
  }
}

function newBatch(): Batch {
  let acknowledge = () => {};
  let rejectBatch = (_: QueueUnavailable) => {};
  const acknowledged = new Promise<void>((resolve, reject) => {
    acknowledge = resolve;
    rejectBatch = reject;
  });
  return {
    id: newId(),
    events: [],
    lists: [],
    count: 0,
    traceparents: [],
    bytes: 0,
    openedAt: performance.now(),
    acknowledged,
    acknowledge,
    reject: rejectBatch,
    timedOut: false,
  };
}
