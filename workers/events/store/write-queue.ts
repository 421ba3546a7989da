import { setTimeout as sleep } from 'node:timers/promises';
import type { EventBatch } from './event-batch.js';

/**
 * Groups of one lane in progress at a time: while the database writes some, the worker builds the next. With two, the worker was idle a
 * fifth of the time. Four drain the queue about 5% faster than three.
 */
const MAX_IN_FLIGHT = 4;
/** Events of several batches in one group, so that they share its fixed cost: a commit and five round trips. */
const MAX_EVENTS = 1_000;
/**
 * How long a group waits for earlier ones. Without a limit, two groups that contain the same event would wait for each other: the later one
 * for the end of the earlier one, and that one for the lock on the event's row.
 */
const MAX_WAIT_MS = 2_000;

/** Series are ordered in two halves, so that two transactions of a lane can update series at the same time. */
export const HALVES = [0, 1] as const;
export type Half = (typeof HALVES)[number];

/** The place of a group among those of its lane. */
export interface SeriesOrder {
  /** Resolves when earlier groups have updated this half of the series, or after a time limit. */
  earlier(half: Half): Promise<void>;
  /** Lets later groups update this half of the series. */
  ended(half: Half): void;
}

/** Writes a group of batches; if it fails, some may be stored, and any of them may come again. */
type WriteBatches = (batches: readonly EventBatch[], order: SeriesOrder) => Promise<void>;

interface Waiting {
  batch: EventBatch;
  resolve(): void;
  reject(error: unknown): void;
}

/** The batches of one queue. */
interface Lane {
  waiting: Waiting[];
  inFlight: number;
  isScheduled: boolean;
  /** For each half of the series: settles when the last group that was formed has updated it, and all before it. */
  last: Record<Half, Promise<unknown>>;
}

/**
 * Decides when this process writes what. Batches that wait at the same time are written as one group, without a timer, like the API's group
 * commit. Each lane has its own groups, so no queue waits for another. A task alone runs when everything before it has ended, and everything
 * after it waits.
 */
export class WriteQueue {
  readonly #write: WriteBatches;
  readonly #lanes = new Map<string, Lane>();
  #running = new Set<Promise<unknown>>();
  /** Settles when the last task alone has ended. */
  #alone: Promise<unknown> = Promise.resolve();

  constructor(write: WriteBatches) {
    this.#write = write;
  }

  /** Resolves when the batch is stored. Rejects with the error of its group. */
  add(laneName: string, batch: EventBatch): Promise<void> {
    const lane = this.#laneOf(laneName);
    return new Promise((resolve, reject) => {
      lane.waiting.push({ batch, resolve, reject });
      this.#schedule(lane);
    });
  }

  /** Starts a task when all tasks alone that were queued before it have ended. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const result = this.#alone.then(task);
    const running = this.#running.add(result);
    const leave = () => void running.delete(result);
    result.then(leave, leave);
    return result;
  }

  /** Starts a task when everything that was queued before it has ended. What is queued later waits for it. */
  runAlone<T>(task: () => Promise<T>): Promise<T> {
    const before = [this.#alone, ...this.#running];
    this.#running = new Set();
    const result = Promise.allSettled(before).then(task);
    this.#alone = result.catch(() => {});
    return result;
  }

  #laneOf(name: string): Lane {
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = {
        waiting: [],
        inFlight: 0,
        isScheduled: false,
        last: { 0: Promise.resolve(), 1: Promise.resolve() },
      };
      this.#lanes.set(name, lane);
    }
    return lane;
  }

  /** Waits for the other callbacks of the event loop: when a group has ended, as many new jobs arrive at once and form the next group. */
  #schedule(lane: Lane): void {
    if (lane.isScheduled) return;
    lane.isScheduled = true;
    setImmediate(() => {
      lane.isScheduled = false;
      while (lane.inFlight < MAX_IN_FLIGHT && lane.waiting.length > 0) void this.#writeGroup(lane);
    });
  }

  /**
   * Writes the next group. Its events arrived after those of the groups before it, so series that are updated in this order get few late
   * items, whose alerts would be folded again. Correctness does not depend on it: other workers keep other orders.
   */
  async #writeGroup(lane: Lane): Promise<void> {
    const group = takeGroup(lane.waiting);
    const { order, end } = placeAfter(lane);
    const written = this.run(() =>
      this.#write(
        group.map(({ batch }) => batch),
        order,
      ),
    );
    lane.inFlight += 1;
    written.then(end, end);
    try {
      await written;
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    lane.inFlight -= 1;
    this.#schedule(lane);
  }
}

/** Returns the place after the last group of a lane, which is the new one's from then on. `end` lets later groups update all series. */
function placeAfter(lane: Lane): { order: SeriesOrder; end(): void } {
  const before = { ...lane.last };
  const leave: (() => void)[] = [];
  for (const half of HALVES) {
    const own = new Promise<void>((resolve) => {
      leave[half] = resolve;
    });
    // Without a value: each one would contain those of all groups before it.
    lane.last[half] = Promise.allSettled([before[half], own]).then(() => {});
  }
  const order: SeriesOrder = {
    earlier: (half) => withinLimit(before[half]),
    ended: (half) => leave[half]?.(),
  };
  return { order, end: () => HALVES.forEach(order.ended) };
}

/** Takes batches off the front: at least one, and no more than `MAX_EVENTS` events otherwise. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  let count = 0;
  const end = waiting.findIndex(({ batch }, index) => {
    count += batch.count;
    return index > 0 && count > MAX_EVENTS;
  });
  return waiting.splice(0, end < 0 ? waiting.length : end);
}

async function withinLimit(before: Promise<unknown>): Promise<void> {
  const done = new AbortController();
  const limit = sleep(MAX_WAIT_MS, undefined, { signal: done.signal }).catch(() => {});
  await Promise.race([before, limit]);
  done.abort();
}
