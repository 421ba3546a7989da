/** Thrown when a task could not start in time, or the queue was full. */
export class SemaphoreBusy extends Error {
  override name = 'SemaphoreBusy';
}

interface Semaphore {
  running: number;
  /** Functions that start the waiting tasks, in order of arrival. */
  waiting: Set<() => void>;
}

export interface SemaphoreOptions {
  /** How many tasks of one key may run at the same time. */
  max: number;
  /** How many more tasks of one key may wait. */
  maxWaiting: number;
  /** How long a task may wait, in milliseconds. */
  waitMs: number;
}

/** A counting semaphore for each key, such as an API key. Waiting tasks start in order of arrival. */
export class KeyedSemaphore {
  readonly #options: SemaphoreOptions;
  readonly #semaphores = new Map<string, Semaphore>();

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  /**
   * Runs the task as soon as one of its key may run.
   * @throws SemaphoreBusy if the queue is full or the wait is over; the task was not started
   */
  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const semaphore = this.#semaphores.get(key) ?? { running: 0, waiting: new Set() };
    this.#semaphores.set(key, semaphore);
    if (semaphore.running < this.#options.max) semaphore.running += 1;
    else await this.#wait(semaphore);
    try {
      return await task();
    } finally {
      this.#release(key, semaphore);
    }
  }

  #wait({ waiting }: Semaphore): Promise<void> {
    const { maxWaiting, waitMs } = this.#options;
    if (waiting.size >= maxWaiting) return Promise.reject(new SemaphoreBusy('the queue is full'));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(new SemaphoreBusy('the task could not start in time'));
      }, waitMs);
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      waiting.add(start);
    });
  }

  /** Starts the next waiting task, or frees the memory of a key without tasks. */
  #release(key: string, semaphore: Semaphore): void {
    const [next] = semaphore.waiting;
    if (next) {
      semaphore.waiting.delete(next);
      next();
      return;
    }
    semaphore.running -= 1;
    if (semaphore.running === 0) this.#semaphores.delete(key);
  }
}
