import { LEASE_S } from '../../db/outbox/lanes.js';

/** The lease counts from a later time, at the database. Requests that are stopped need some time too. */
const HELD_MS = (LEASE_S - 1) * 1_000;

/** Whether a worker still has a lane, as far as it knows by its own clock, whatever keeps it from writing about it. */
export class Hold {
  readonly #over = new AbortController();
  #until: number;
  #timer: NodeJS.Timeout;

  /** @param since a `performance.now()` from before the lease was written */
  constructor(since: number) {
    this.#until = since + HELD_MS;
    this.#timer = this.#wait();
  }

  /** Stops what may be done only while the worker has the lane. */
  get signal(): AbortSignal {
    return this.#over.signal;
  }

  get isOver(): boolean {
    return this.signal.aborted || performance.now() > this.#until;
  }

  /** @param since a `performance.now()` from before the lease was written again */
  renew(since: number): void {
    this.#until = since + HELD_MS;
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#over.abort(new Error('another worker may have the lane'));
  }

  #wait(): NodeJS.Timeout {
    return setTimeout(
      () => {
        if (this.isOver) this.end();
        else this.#timer = this.#wait();
      },
      Math.max(0, this.#until - performance.now()) + 1,
    );
  }
}
