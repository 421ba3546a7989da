import type { EventBatch } from './event-batch.js';

/** Some are at the database while the next is being made ready: with two in all the worker waited a fifth of its time, and four drain some 5 % faster than three. */
const MAX_IN_FLIGHT = 4;
/** Events of several batches in one write, so that its fixed costs (a commit, five round trips) are shared. */
const MAX_EVENTS = 1_000;

interface Waiting {
  batch: EventBatch;
  done(): void;
  fail(error: Error): void;
}

/** Writes batches together that are in hand at the same time; as in the API, without a timer. */
export class WriteGroups {
  readonly #write: (batches: readonly EventBatch[]) => Promise<void>;
  #waiting: Waiting[] = [];
  #inFlight = 0;
  #soon = false;

  /** @param write stores batches; if it fails some may be stored, and it may be called again with any of them */
  constructor(write: (batches: readonly EventBatch[]) => Promise<void>) {
    this.#write = write;
  }

  /** Resolves when a batch is stored; rejects with what kept its group from it. */
  store(batch: EventBatch): Promise<void> {
    return new Promise((done, fail) => {
      this.#waiting.push({ batch, done, fail });
      this.#writeSoon();
    });
  }

  /** Batches that finished together are followed by as many in one turn of the event loop: they go together again. */
  #writeSoon(): void {
    if (this.#soon) return;
    this.#soon = true;
    setImmediate(() => {
      this.#soon = false;
      this.#writeNext();
    });
  }

  #writeNext(): void {
    while (this.#inFlight < MAX_IN_FLIGHT && this.#waiting.length > 0) {
      this.#inFlight += 1;
      void this.#writeGroup(this.#takeGroup()).finally(() => {
        this.#inFlight -= 1;
        this.#writeSoon();
      });
    }
  }

  async #writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#write(group.map(({ batch }) => batch));
      for (const { done } of group) done();
    } catch (error) {
      for (const { fail } of group) fail(error as Error);
    }
  }

  #takeGroup(): Waiting[] {
    let count = 0;
    const end = this.#waiting.findIndex(({ batch }, place) => {
      count += batch.count;
      return place > 0 && count > MAX_EVENTS;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}
