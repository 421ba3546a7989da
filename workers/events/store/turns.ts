import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How long a turn waits for earlier ones. Without a limit, two groups that contain the same event would wait for each other: the later one
 * for its turn, the earlier one for the lock on the event's row.
 */
const MAX_WAIT_MS = 2_000;

/** One group's place in the order of groups. */
export interface Turn {
  /** Resolves when all earlier turns have ended, or after a time limit. */
  comes(): Promise<void>;
  /** Ends the turn. Call it in any case, or all later turns wait for the time limit. */
  end(): void;
}

/**
 * The order of groups that are written at the same time. Their events arrived in this order, so series that are updated in it get few late
 * items, whose alerts would be folded again. Correctness does not depend on it: other workers keep other orders.
 */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Returns the next turn. */
  take(): Turn {
    const before = this.#last;
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last = before.then(() => ended);
    return { comes: () => withinLimit(before), end };
  }
}

async function withinLimit(before: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const limit = sleep(MAX_WAIT_MS, undefined, { signal: done.signal }).catch(() => {});
  await Promise.race([before, limit]);
  done.abort();
}
