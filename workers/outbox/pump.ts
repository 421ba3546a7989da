import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from '../../db/client/errors.js';
import { type Lane, takeLanes } from '../../db/outbox/lanes.js';
import { hasDestinations } from '../../db/outbox/outbox.js';
import { describeError } from '../process/describe-error.js';
import type { Delivery } from './delivery.js';
import { fanOut } from './fan-out.js';
import { runLane } from './lane.js';
import { LaneStore } from './lane-store.js';

/** A request that takes longer is sent again by another worker. */
const CLOSE_MS = 5_000;
/** What another worker has left behind, or what is due later, is found within this time. */
const SWEEP_MS = 1_000;
/** After so long, it looks again for what another worker is just taking from the outbox. */
const OTHERS_MS = 50;
/** Lanes that one worker sends in at the same time. Those that fail have places of their own, so that they never keep the others waiting. */
const PLACES = { healthy: 64, failing: 16 };

/** Tells destinations of alerts. One per process. */
export class Pump {
  readonly #delivery: Delivery;
  readonly #canSend: boolean;
  readonly #store: LaneStore;
  readonly #running = { healthy: new Set<Promise<void>>(), failing: new Set<Promise<void>>() };
  #isMoving: Promise<void> | null = null;
  #isWoken = false;
  #timer: NodeJS.Timeout | null = null;

  /** @param canSend whether it has a key that may decrypt URLs. Otherwise it leaves lanes to workers that have one */
  constructor(delivery: Delivery, canSend: boolean) {
    this.#delivery = delivery;
    this.#canSend = canSend;
    this.#store = new LaneStore(delivery.database);
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), SWEEP_MS);
  }

  /** Says that there may be something in the outbox. */
  wake(): void {
    this.#isWoken = true;
    if (this.#delivery.closing.aborted) return;
    this.#isMoving ??= this.#move().finally(() => {
      this.#isMoving = null;
      if (this.#isWoken) this.wake();
    });
  }

  /** Ends after the requests that have been sent, if they do not take long. */
  async close(): Promise<void> {
    if (this.#timer) clearInterval(this.#timer);
    const running = [...this.#running.healthy, ...this.#running.failing, this.#isMoving];
    await Promise.race([Promise.allSettled(running), sleep(CLOSE_MS, undefined, { ref: false })]);
  }

  async #move(): Promise<void> {
    this.#isWoken = false;
    const { database, closing } = this.#delivery;
    for (;;) {
      // Also without destinations: a later one is not to be told of what was written before the last one was deleted.
      const hasMore = await this.#try(() => fanOut(database));
      await this.#try(async () => {
        if (!this.#canSend || !(await hasDestinations(database))) return;
        await this.#take('healthy');
        await this.#take('failing');
      });
      // The other worker may have begun before the last transaction of this one.
      if (hasMore === null) this.#wakeIn(OTHERS_MS);
      if (!hasMore || closing.aborted) return;
    }
  }

  #wakeIn(ms: number): void {
    setTimeout(() => this.wake(), ms).unref();
  }

  /** Returns undefined after an error. */
  async #try<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      const level = isDatabaseUnavailable(error) ? 'debug' : 'warn';
      this.#delivery.log[level](
        { error: describeError(error) },
        'the outbox was not read; it is read again in a second',
      );
      return undefined;
    }
  }

  async #take(kind: keyof typeof PLACES): Promise<void> {
    const running = this.#running[kind];
    const since = performance.now();
    const lanes = await takeLanes(this.#delivery.database, {
      lease: randomUUID(),
      limit: PLACES[kind] - running.size,
      isFailing: kind === 'failing',
    });
    for (const lane of lanes) {
      const run = this.#run(lane, since).then((restMs) => {
        running.delete(run);
        this.wake();
        if (restMs > 0 && restMs < SWEEP_MS) this.#wakeIn(restMs);
      });
      running.add(run);
    }
  }

  /** Returns for how many milliseconds nobody takes the lane. */
  async #run(lane: Lane, since: number): Promise<number> {
    try {
      return 1_000 * (await runLane(this.#delivery, lane, { store: this.#store, since }));
    } catch (error) {
      this.#delivery.log.warn(
        { destinationId: lane.destinationId, error: describeError(error) },
        'messages of a destination were not sent; they are sent again soon',
      );
      return 0;
    }
  }
}
