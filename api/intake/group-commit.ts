import { setTimeout as sleep } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import type { IntakeEvent } from '../../workers/queues/contracts/alert-intake.js';
import { QueueUnavailable } from '../../workers/queues/producer.js';

/** Two: while one batch is on its way back, the next is on its way there. */
const MAX_IN_FLIGHT = 2;
const MAX_EVENTS = 200;
const MAX_BYTES = 512 * 1024;
/** A connection that was lost is usually back by then, and a batch may be added again under its id. */
const TRY_AGAIN_WITHIN_MS = 400;
const TRY_AGAIN_AFTER_MS = 50;
/** Whoever waits is answered by then, so that every request is within 2 s. */
const ANSWER_WITHIN_MS = 1_800;

interface Batch {
  id: string;
  events: IntakeEvent[];
  bytes: number;
  openedAt: number;
  acknowledged: Promise<void>;
  acknowledge(): void;
  refuse(reason: QueueUnavailable): void;
  refused: boolean;
}

/** Puts a batch into the queue under a fixed id; may be called again with the same one. */
type AddBatch = (id: string, events: IntakeEvent[]) => Promise<void>;

/** Hears of a batch that was acknowledged: its events, and the seconds since it was opened. */
export type BatchListener = (events: number, seconds: number) => void;

/**
 * Group commit, driven by what is in flight: an event alone goes at once; while two batches are under way whatever comes
 * gathers, and goes when one of them is acknowledged. So batches are as large as the load makes them, without a timer.
 */
export class GroupCommit {
  readonly #add: AddBatch;
  readonly #acknowledged: BatchListener;
  readonly #waiting: Batch[] = [];
  #inFlight = 0;
  #sending = false;

  constructor(add: AddBatch, acknowledged: BatchListener = () => {}) {
    this.#add = add;
    this.#acknowledged = acknowledged;
  }

  /** Resolves when the event is in the queue for good. Rejects with a `QueueUnavailable` when that is not known in time. */
  join(event: IntakeEvent, bytes: number): Promise<void> {
    const last = this.#waiting.at(-1);
    const fits = last && last.events.length < MAX_EVENTS && last.bytes + bytes <= MAX_BYTES;
    const batch = fits ? last : this.#open();
    batch.events.push(event);
    batch.bytes += bytes;
    this.#sendSoon();
    return batch.acknowledged;
  }

  /** Resolves when nothing waits any more. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0 || this.#inFlight > 0) await sleep(5);
  }

  #open(): Batch {
    const batch = newBatch();
    const timer = setTimeout(() => this.#giveUp(batch), ANSWER_WITHIN_MS);
    const done = () => clearTimeout(timer);
    batch.acknowledged.then(done, done);
    this.#waiting.push(batch);
    return batch;
  }

  /** What arrives in the same turn of the event loop goes together: it costs no time, and a batch by itself costs as much as some events (0.1 ms). */
  #sendSoon(): void {
    if (this.#sending || this.#inFlight >= MAX_IN_FLIGHT) return;
    this.#sending = true;
    setImmediate(() => {
      this.#sending = false;
      this.#sendWaiting();
    });
  }

  #sendWaiting(): void {
    while (this.#inFlight < MAX_IN_FLIGHT) {
      const batch = this.#waiting.shift();
      if (!batch) return;
      this.#inFlight += 1;
      this.#send(batch)
        .then(() => this.#acknowledge(batch), batch.refuse)
        .finally(() => {
          this.#inFlight -= 1;
          if (this.#waiting.length > 0) this.#sendSoon();
        });
    }
  }

  #acknowledge(batch: Batch): void {
    batch.acknowledge();
    // Whoever waited for a batch that was given up had another answer.
    if (!batch.refused) this.#acknowledged(batch.events.length, (performance.now() - batch.openedAt) / 1_000);
  }

  async #send(batch: Batch): Promise<void> {
    for (;;) {
      try {
        return await this.#add(batch.id, batch.events);
      } catch (error) {
        if (batch.refused || performance.now() - batch.openedAt > TRY_AGAIN_WITHIN_MS) throw error;
        await sleep(TRY_AGAIN_AFTER_MS);
      }
    }
  }

  /** A batch that was never sent will have no effect; one that was sent may still have. */
  #giveUp(batch: Batch): void {
    const place = this.#waiting.indexOf(batch);
    if (place >= 0) this.#waiting.splice(place, 1);
    batch.refused = true;
    batch.refuse(new QueueUnavailable('Redis did not take the batch in time'));
  }
}

function newBatch(): Batch {
  let acknowledge = () => {};
  let refuse = (_: QueueUnavailable) => {};
  const acknowledged = new Promise<void>((resolve, reject) => {
    acknowledge = resolve;
    refuse = reject;
  });
  return {
    id: uuidv7(),
    events: [],
    bytes: 0,
    openedAt: performance.now(),
    acknowledged,
    acknowledge,
    refuse,
    refused: false,
  };
}
