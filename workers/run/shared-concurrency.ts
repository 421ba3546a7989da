import type { TakenQueue } from './queue-watch.js';

/** A queue that shares, and the worker that takes its jobs. */
interface Member {
  queue: TakenQueue;
  worker: { concurrency: number };
}

/**
 * Divides a number of jobs at a time among queues by what they have to do: a queue alone may run all of them. A queue always may
 * run one, even while others run all, so none starves.
 */
export class SharedConcurrency {
  readonly #total: number;
  readonly #members: Member[] = [];

  /** @param total jobs that may run at a time in all queues together */
  constructor(total: number) {
    this.#total = total;
  }

  add(member: Member): void {
    this.#members.push(member);
    this.divide();
  }

  /** Sets how many jobs each queue may run. Call it when a job has started or ended. */
  divide(): void {
    const running = this.#members.reduce((sum, { queue }) => sum + queue.running, 0);
    const free = Math.max(0, this.#total - running);
    for (const { queue, worker } of this.#members) {
      queue.concurrency = Math.max(1, queue.running + free);
      worker.concurrency = queue.concurrency;
    }
  }
}
